import { describe, expect, test } from 'vitest';
import { hours, minutes } from '../time.ts';
import { compareDelivery, cpmOf, hoursToCompare } from './evidence.ts';

const NEW_YORK = 'America/New_York';
/** 9:10 PM to 11:08 PM on Nov 24 in New York. */
const OUTAGE = { from: Date.parse('2026-11-25T02:10:00Z'), until: Date.parse('2026-11-25T04:08:00Z') };
const WEEK = hours(7 * 24);

describe('[SPEND-04] the hours of an outage and of the weeks before', () => {
  test('are whole hours of the ad account’s clock', () => {
    const days = ['2026-11-24', '2026-11-17', '2026-11-10', '2026-11-03', '2026-10-27'];
    expect(hoursToCompare(NEW_YORK, OUTAGE, [])).toEqual(
      days.map((day, week) => ({ week, day, first: 21, last: 23 })),
    );
  });

  test('are divided by midnight', () => {
    const found = hoursToCompare('Europe/London', { from: OUTAGE.from - hours(3), until: OUTAGE.until }, []);
    expect(found.slice(0, 2)).toEqual([
      { week: 0, day: '2026-11-24', first: 23, last: 23 },
      { week: 0, day: '2026-11-25', first: 0, last: 4 },
    ]);
    expect(found).toHaveLength(10);
  });

  test('leave out a week with another outage in these hours, and no other one', () => {
    const weeksWith = (from: number) =>
      new Set(hoursToCompare(NEW_YORK, OUTAGE, [{ from, until: from + minutes(5) }]).map(({ week }) => week));
    expect([...weeksWith(OUTAGE.from - WEEK)]).toEqual([0, 2, 3, 4]);
    expect([...weeksWith(OUTAGE.until - 2 * WEEK + minutes(51))]).toEqual([0, 1, 3, 4]);
    expect([...weeksWith(OUTAGE.until - 2 * WEEK + minutes(52))]).toEqual([0, 1, 2, 3, 4]);
    expect([...weeksWith(OUTAGE.from - minutes(5))]).toEqual([0, 1, 2, 3, 4]);
  });

  test('leave out the weeks in which an outage of more than a week went on', () => {
    const long = { from: OUTAGE.from, until: OUTAGE.from + WEEK + hours(2) };
    const found = hoursToCompare(NEW_YORK, long, []);
    expect([...new Set(found.map(({ week }) => week))]).toEqual([0, 2, 3, 4]);
  });
});

describe('[SPEND-04] spend and CPM in an outage against the weeks before', () => {
  const wanted = hoursToCompare('Europe/London', { from: OUTAGE.from - hours(3), until: OUTAGE.until }, []);
  const week = (of: number, spend: number, impressions: number, days = 2) => ({
    ...{ week: of, spend, impressions, days },
  });

  test('the usual is the mean of the weeks that are known', () => {
    const { inside, usual } = compareDelivery(wanted, [
      ...[week(0, 500, 100), week(1, 900, 300), week(3, 1100, 500)],
      week(2, 7, 7, 1),
    ]);
    expect(inside).toMatchObject({ spend: 500, impressions: 100 });
    expect(usual).toEqual({ spend: 1000, impressions: 400 });
    expect(inside && cpmOf(inside)).toBe(5000);
    expect(usual && cpmOf(usual)).toBe(2500);
  });

  test('what was not read is not known, and is never nothing', () => {
    expect(compareDelivery(wanted, [])).toEqual({ inside: null, usual: null });
    expect(compareDelivery(wanted, [week(0, 5, 5, 1)])).toEqual({ inside: null, usual: null });
    expect(cpmOf({ spend: 5, impressions: 0 })).toBeNull();
  });
});
