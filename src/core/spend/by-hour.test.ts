import { describe, expect, test } from 'vitest';
import { hours } from '../time.ts';
import type { DayOfZone } from './by-hour.ts';
import { chartWindow, datesIn, spendByHour } from './by-hour.ts';

const OUTAGE = { from: Date.parse('2026-11-25T02:10:00Z'), until: Date.parse('2026-11-25T04:08:00Z') };
const day = (of: string, timeZone: string, more: Partial<DayOfZone> = {}): DayOfZone => ({
  ...{ currency: 'USD', timeZone, day: of, isPartial: false },
  spend: Array.from({ length: 24 }, (_, hour) => 100 + hour),
  ...more,
});

describe('[SPEND-03] spend by hour around an outage', () => {
  test('twelve hours before it and after it, of a long one its first two days', () => {
    expect(chartWindow(OUTAGE)).toEqual({ from: OUTAGE.from - hours(12), until: OUTAGE.until + hours(12) });
    const long = chartWindow({ from: OUTAGE.from, until: OUTAGE.from + hours(100) });
    expect(long.until - long.from).toBe(hours(72));
    expect(datesIn(OUTAGE)).toEqual({ first: '2026-11-24', last: '2026-11-26' });
  });

  test('hours are those of the ad account’s clock', () => {
    const [hour, ...others] = spendByHour([day('2026-11-24', 'America/New_York')], OUTAGE).get('USD') ?? [];
    expect(hour).toEqual({ at: Date.parse('2026-11-25T02:00:00Z'), spend: 121 });
    expect(others.map(({ spend }) => spend)).toEqual([122, 123]);
  });

  test('two zones add up where both are known, two currencies never', () => {
    const both = [day('2026-11-25', 'UTC'), day('2026-11-25', 'Asia/Kolkata'), day('2026-11-24', 'UTC')];
    const found = spendByHour([...both, day('2026-11-25', 'UTC', { currency: 'EUR' })], OUTAGE);
    expect(found.get('USD')?.[0]).toEqual({ at: Date.parse('2026-11-25T02:00:00Z'), spend: 102 + 108 });
    expect(found.get('EUR')?.map(({ spend }) => spend)).toEqual([102, 103, 104]);
    expect(
      spendByHour([day('2026-11-25', 'UTC'), day('2026-11-20', 'Asia/Kolkata')], OUTAGE).get('USD'),
    ).toEqual([]);
  });

  test('an hour that the clock skips is none, and takes no place of the next one', () => {
    const night = { from: Date.parse('2026-03-08T05:00:00Z'), until: Date.parse('2026-03-08T09:00:00Z') };
    const skips = spendByHour([day('2026-03-08', 'America/New_York')], night).get('USD');
    // From 1 AM EST it goes on at 3 AM EDT.
    expect(skips?.map(({ spend }) => spend)).toEqual([100, 101, 103, 104]);
    const partial = day('2026-03-08', 'America/Toronto', { isPartial: true });
    expect(spendByHour([day('2026-03-08', 'America/New_York'), partial], night).get('USD')).toEqual([]);
  });

  test('a day of which a campaign was not read is not known', () => {
    expect(spendByHour([day('2026-11-25', 'UTC', { isPartial: true })], OUTAGE).get('USD')).toEqual([]);
  });
});
