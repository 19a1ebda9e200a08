import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { days, hours, minutes } from '../time.ts';
import type { StoredCampaign } from './from-stored.ts';
import { fromStored } from './from-stored.ts';
import type { Period } from './local-hours.ts';
import { dayOf, firstHourOf, localHourOf } from './local-hours.ts';
import { datesOf } from './when-estimated.ts';

const NEW_YORK = 'America/New_York';
const at = (text: string) => Date.parse(text);

/** Read in the third night, `value` in each hour. */
function storedDays(from: string, count: number, value = 100) {
  return Array.from({ length: count }, (_, n) => {
    const day = dayOf(firstHourOf(from) + n * 24);
    return { day, readAt: at(day) + days(5), spend: Array.from({ length: 24 }, () => value) };
  });
}

function convert(
  zone: string,
  start: number,
  given: Partial<StoredCampaign>,
  outages: readonly Period[] = [],
) {
  const paused = [{ from: start, until: start + hours(2) }];
  const { campaign, isOver } = fromStored(
    zone,
    start,
    outages,
  )({ dailyBudget: null, paused, held: [], days: [], ...given });
  const usualAt = (text: string) => {
    const hour = firstHourOf(text.slice(0, 10)) + Number(text.slice(11));
    return campaign.usual.values[hour - campaign.usual.first];
  };
  return { campaign, isOver, usualAt };
}

describe('[SPEND-02] stored spend as an estimate needs it', () => {
  const start = at('2026-01-20T17:30:00Z');

  test('a pause is by the clock of the ad account, and what is known ends before it', () => {
    const { campaign } = convert(NEW_YORK, start, { days: storedDays('2025-11-20', 62) });
    const noon = firstHourOf('2026-01-20') + 12;
    expect([...campaign.paused]).toEqual([
      [noon, 0.5],
      [noon + 1, 1],
      [noon + 2, 0.5],
    ]);
    expect(campaign.knownUntil).toBe(noon);
    expect(campaign.actual.first).toBe(noon - 12);
    expect(campaign.actual.values).toHaveLength(24);
  });

  test('hours of a hold or an outage are not usual, nor those that are not known; a day without values is 0', () => {
    const period = (from: string, until: string) => ({ from: at(from), until: at(until) });
    const { usualAt } = convert(
      'UTC',
      start,
      {
        held: [period('2026-01-10T05:20:00Z', '2026-01-10T06:20:00Z')],
        days: [...storedDays('2026-01-09', 5), { day: '2026-01-15', readAt: at('2026-01-19'), spend: null }],
      },
      [period('2026-01-11T05:00:00Z', '2026-01-11T06:00:00Z')],
    );
    const found = ['2026-01-10 04', '2026-01-10 05', '2026-01-10 06', '2026-01-10 07', '2026-01-11 05'];
    expect(found.map(usualAt)).toEqual([100, NaN, NaN, 100, NaN]);
    expect(['2026-01-15 05', '2026-01-16 05'].map(usualAt)).toEqual([0, NaN]);
  });

  test.each([
    ['2026-03-08', '2026-03-08 02', NaN],
    ['2025-11-02', '2025-11-02 01', 50],
    ['2026-03-08', '2026-03-08 03', 100],
  ])('an hour that clocks skip or show twice, on %s', (day, hour, usual) => {
    const { usualAt } = convert(NEW_YORK, at(day) + days(5), { days: storedDays(day, 1) });
    expect(usualAt(hour)).toBe(usual);
  });

  test('values are corrected by their age, and a day is over once it was read after its end', () => {
    const end = at('2026-01-21T05:00:00Z');
    const day = { day: '2026-01-20', spend: Array.from({ length: 24 }, () => 97) };
    const read = (readAt: number) => convert(NEW_YORK, start, { days: [{ ...day, readAt }] });
    const { campaign, isOver } = read(end + hours(2));
    expect([campaign.actual.values[3], isOver]).toEqual([expect.closeTo(100), true]);
    expect(read(end - minutes(1)).isOver).toBe(false);
    const overnight = [{ from: start, until: end + hours(1) }];
    expect(
      convert(NEW_YORK, start, { paused: overnight, days: [{ ...day, readAt: end + hours(4) }] }).isOver,
    ).toBe(false);
  });

  test('while today is not read, or another outage has just ended, earlier hours are the measure', () => {
    const until = (outages: readonly Period[], count: number) =>
      convert('UTC', start, { days: storedDays('2025-12-20', count) }, outages).campaign.knownUntil;
    expect(until([], 31)).toBe(firstHourOf('2026-01-20') + 2);
    const before = { from: at('2026-01-20T08:00:00Z'), until: at('2026-01-20T14:00:00Z') };
    expect(until([before], 32)).toBe(firstHourOf('2026-01-20') + 10);
  });

  test.each(['UTC', NEW_YORK, 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'in %s all time of a pause is in its hours, and what was usual ends with it',
    (zone) => {
      const instant = fc.integer({ min: at('2026-02-20'), max: at('2026-11-20') });
      fc.assert(
        fc.property(instant, fc.integer({ min: 1, max: days(3) }), (from, length) => {
          const { campaign } = convert(zone, from, {
            paused: [{ from, until: from + length }],
            days: storedDays(dayOf(localHourOf(zone, from) - 70 * 24), 75),
          });
          const time = [...campaign.paused.values()].reduce((sum, one) => sum + one, 0);
          expect(time * hours(1)).toBeCloseTo(length, 2);
          const { usual, knownUntil, actual } = campaign;
          expect(usual.first + usual.values.length).toBe(localHourOf(zone, from));
          expect(knownUntil).toBe(localHourOf(zone, from));
          for (const hour of campaign.paused.keys())
            expect(actual.values[hour - actual.first]).not.toBeUndefined();
        }),
        { seed: 61, numRuns: 15 },
      );
    },
  );
});

test('[SPEND-02] the days of an outage are those of all clocks, and the next one', () => {
  const from = at('2026-01-31T23:00:00Z');
  expect(datesOf({ from, until: from + hours(2) })).toEqual([
    ...['2026-01-30', '2026-01-31', '2026-02-01', '2026-02-02'],
  ]);
});
