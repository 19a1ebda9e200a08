import { describe, expect, test } from 'vitest';
import { addUpDays, comparisonOf, compareOthers, othersOf } from './others.ts';
import { dayOf, firstHourOf } from './local-hours.ts';
import { days, hours } from '../time.ts';

const DAY = '2026-03-20';
/** 14:20 to 17:40 of the clock in New York, in summer. */
const OUTAGE = { from: Date.parse('2026-03-20T18:20:00Z'), until: Date.parse('2026-03-20T21:40:00Z') };
const ZONE = 'America/New_York';

interface Given {
  /** Of each hour; the day is how many days before the outage. */
  spend: (day: number, hour: number) => number;
  impressions?: (day: number, hour: number) => number;
  count?: number;
  /** The last day that is stored, before the outage. */
  first?: number;
}

function stored({
  spend,
  impressions = (day, hour) => spend(day, hour) * 10,
  count = 40,
  first = -1,
}: Given) {
  return Array.from({ length: count }, (_, n) => {
    const hourly = (of: (day: number, hour: number) => number) =>
      Array.from({ length: 24 }, (__, hour) => of(n + first, hour));
    // The day after the outage has number -1.
    return {
      day: dayOf(firstHourOf(DAY) - (n + first) * 24),
      spend: hourly(spend),
      impressions: hourly(impressions),
    };
  });
}

const none = stored({ spend: () => 0 });
const isInside = (day: number, hour: number) => day === 0 && hour >= 14 && hour <= 17;

function compared(
  given: Given,
  { paused = none, unusual = [] }: { paused?: typeof none; unusual?: { from: number; until: number }[] } = {},
) {
  const found = compareOthers(ZONE, othersOf(stored(given), paused), { outage: OUTAGE, unusual });
  return found === null ? null : comparisonOf([found]);
}

describe('[SPEND-02] campaigns that ran on in an outage', () => {
  test('are compared in the hours that it covers, at their level of the day before', () => {
    // This week everything is three times as much as before.
    const spend = (day: number, hour: number) => (day <= 1 ? 300 : 100) * (isInside(day, hour) ? 0.5 : 1);
    const found = compared({ spend });
    // Of 14:20 to 17:40 two hours are whole.
    expect(found).toMatchObject({ spend: 300, cpm: 100 });
    expect(Math.abs((found?.usualSpend ?? NaN) - 600)).toBeLessThan(10);
    expect(found?.usualCpms.length).toBeGreaterThan(30);
  });

  test('without those that were paused, whose reports may be newer', () => {
    const paused = stored({ spend: (day, hour) => (isInside(day, hour) ? 0 : 70) });
    const found = compared({ spend: (day, hour) => (isInside(day, hour) ? 30 : 100) }, { paused });
    expect(found).toMatchObject({ spend: 60, usualSpend: 60 });
    const newer = stored({ spend: () => 101 });
    expect(
      [...othersOf(stored({ spend: () => 100 }), newer).values()].every(({ spend }) => spend === 0),
    ).toBe(true);
  });

  test('that were silent have no price', () => {
    const spend = (day: number, hour: number) => (isInside(day, hour) ? 0 : 100);
    expect(compared({ spend })).toMatchObject({ spend: 0, usualSpend: 200, cpm: null });
  });

  test('are not dearer than usual where all of the last days are', () => {
    // A season: since the day before, 1,000 impressions cost twice as much.
    const impressions = (day: number) => (day <= 1 ? 500 : 1000);
    const found = compared({ spend: () => 100, impressions });
    const [, ...usual] = found?.usualCpms ?? [];
    expect(found?.cpm).toBe(200);
    for (const one of usual) expect(Math.abs(one - 200)).toBeLessThan(1);
  });

  test('are not compared with the outage itself, where it lasts for days', () => {
    const outage = { from: OUTAGE.from - days(2), until: OUTAGE.until };
    const all = othersOf(stored({ spend: () => 100, count: 60 }), stored({ spend: () => 0, count: 60 }));
    const found = compareOthers(ZONE, all, { outage, unusual: [] });
    expect([...(found?.earlier.keys() ?? [])].slice(0, 2)).toEqual([72, 96]);
  });

  test.each<[string, Given, object?]>([
    ['the day of the outage is not read', { spend: () => 100, first: 1 }],
    ['too few days are known', { spend: () => 100, count: 8 }],
    ['they did not run before', { spend: (day, hour) => (day > 1 || (day === 0 && hour >= 14) ? 100 : 0) }],
    ['so few were delivered that chance decides', { spend: () => 100, impressions: () => 200 }],
    [
      'another outage was on the day before',
      { spend: () => 100 },
      { unusual: [{ from: OUTAGE.from - hours(6), until: OUTAGE.from - hours(5) }] },
    ],
    [
      'other outages were on most days',
      { spend: () => 100 },
      { unusual: [{ from: OUTAGE.from - days(60), until: OUTAGE.from - days(4) }] },
    ],
  ])('measure nothing where %s', (_, given, more = {}) => {
    expect(compared(given, more)).toBeNull();
  });

  test('of several ad accounts are added up, each by its own clock', () => {
    const of = (timeZone: string) =>
      compareOthers(timeZone, othersOf(stored({ spend: () => 100 }), none), { outage: OUTAGE, unusual: [] });
    const found = [of(ZONE), of('Europe/Berlin')].flatMap((one) => one ?? []);
    expect(found).toHaveLength(2);
    expect(comparisonOf(found)).toMatchObject({ spend: 400, usualSpend: 400 });
    expect(comparisonOf([])).toBeNull();
  });

  test('an outage of less than two hours may cover no whole one', () => {
    const outage = { from: OUTAGE.from, until: OUTAGE.from + hours(1.6) };
    expect(
      compareOthers(ZONE, othersOf(stored({ spend: () => 100 }), none), { outage, unusual: [] }),
    ).toBeNull();
  });

  test('days of parts are added up where each part has them', () => {
    const parts = [stored({ spend: () => 1, count: 3 }), stored({ spend: (_day, hour) => hour, count: 2 })];
    const found = addUpDays(parts);
    expect(found.map(({ day }) => day)).toEqual(parts[1]?.map(({ day }) => day));
    expect([found[0]?.spend?.[5], found[0]?.impressions?.[5]]).toEqual([6, 60]);
    expect(addUpDays([])).toEqual([]);
  });
});
