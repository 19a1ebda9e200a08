import { describe, expect, test } from 'vitest';
import { comparisonOf, compareOthers, othersOf } from './others.ts';
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
}

function stored({ spend, impressions = (day, hour) => spend(day, hour) * 10, count = 40 }: Given) {
  return Array.from({ length: count }, (_, n) => {
    const hourly = (of: (day: number, hour: number) => number) =>
      Array.from({ length: 24 }, (__, hour) => of(n - 1, hour));
    // The day after the outage has number -1.
    return {
      day: dayOf(firstHourOf(DAY) - (n - 1) * 24),
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
    expect(found).toMatchObject({ spend: 300, wasBack: true, cpm: 100 });
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

  test('a blackout is known by their return; who turns them off does not bring them back', () => {
    const off = (until: number) => ({
      spend: (day: number, hour: number) =>
        day === -1 ? (until > 24 ? 0 : 100) : day === 0 && hour >= 14 && hour < until ? 0 : 100,
    });
    expect(compared(off(18))).toMatchObject({ spend: 0, usualSpend: 200, wasBack: true, cpm: null });
    expect(compared(off(48))).toMatchObject({ spend: 0, wasBack: false });
  });

  test.each<[string, Given, object?]>([
    ['the day of the outage is not read', { spend: (day) => (day === 0 ? NaN : 100), count: 1 }],
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
});
