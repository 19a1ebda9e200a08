import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SPEND_DAYS } from '../periods.ts';
import { hours } from '../time.ts';
import type { PausedCampaign } from './compared-days.ts';
import { quantile } from './compared-days.ts';
import type { Comparison } from './estimate.ts';
import { MOST_OF_BUDGET, estimate } from './estimate.ts';
import type { LocalHour } from './local-hours.ts';
import { endOfDay } from './local-hours.ts';

const DAYS = 364;

/** Uniform in [0, 1), the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sum = (values: Float64Array) => values.reduce((total, one) => total + one, 0);

function normalOf(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * A year of an account: a shape of the day and of the week, a level that wanders, good and bad days that campaigns share,
 * noise of the hour, and budgets that are changed.
 */
function yearOf(seed: number, campaigns: number): { spend: Float64Array; budget: number }[] {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const peak = 8 + Math.floor(random() * 14);
  const week = Array.from({ length: 7 }, () => 1 + 0.2 * normal());
  const shared: number[] = [];
  for (let day = 0; day < DAYS; day++) shared.push(0.6 * (shared[day - 1] ?? 0) + 0.08 * normal());
  return Array.from({ length: campaigns }, () => {
    const spend = new Float64Array(DAYS * 24);
    let level = 100 * Math.exp(1.5 * normal());
    const noise = 0.1 + 0.3 * random();
    for (let day = 0; day < DAYS; day++) {
      level *= Math.exp(0.02 * normal()) * (random() < 0.01 ? 0.5 + random() : 1);
      const today = level * (week[day % 7] ?? 1) * Math.exp((shared[day] ?? 0) + 0.08 * normal());
      for (let hour = 0; hour < 24; hour++) {
        const shape = 1 + 0.7 * Math.cos(((hour - peak) / 24) * 2 * Math.PI);
        spend[day * 24 + hour] = Math.max(0, today) * shape * Math.exp(noise * normal());
      }
    }
    // What it spent on its best day is what Meta allowed.
    const days = shared.map((_, day) => sum(spend.subarray(24 * day, 24 * (day + 1))));
    return { spend, budget: Math.max(...days) / MOST_OF_BUDGET };
  });
}

type Year = ReturnType<typeof yearOf>;

/** An outage in that year: what was paused, what that truly kept from being spent, and what Meta then spent later. */
function outageIn(year: Year, seed: number) {
  const random = randomOf(seed);
  const length = Math.exp(Math.log(0.2) + random() * Math.log(36 / 0.2));
  const start = 24 * (SPEND_DAYS + 2 + Math.floor(random() * (DAYS - SPEND_DAYS - 6))) + random() * 24;
  const paused = pausedIn(start, start + length);
  const caughtUp = random() < 0.5 ? 0 : random();
  const truth = { notSpent: 0, later: 0, kept: 0 };
  const campaigns = year.map(({ spend, budget }): PausedCampaign => {
    const actual = spend.slice();
    let notSpent = 0;
    for (const [hour, time] of paused) {
      notSpent += time * (spend[hour] ?? 0);
      actual[hour] = (1 - time) * (spend[hour] ?? 0);
    }
    const [resumed, end] = [Math.ceil(start + length), endOfDay(Math.floor(start + length))];
    const later = resumed === end ? 0 : notSpent * caughtUp;
    for (let hour = resumed; hour < end; hour++) actual[hour] = (actual[hour] ?? 0) + later / (end - resumed);
    truth.notSpent += notSpent;
    truth.later += later;
    truth.kept += notSpent - later;
    return campaignOf({ spend: actual, paused, dailyBudget: budget });
  });
  return { campaigns, truth };
}

function pausedIn(from: number, until: number): Map<LocalHour, number> {
  const hours = Array.from({ length: Math.ceil(until) - Math.floor(from) }, (_, n) => Math.floor(from) + n);
  return new Map(hours.map((hour) => [hour, Math.min(hour + 1, until) - Math.max(hour, from)]));
}

interface Given {
  spend: Float64Array;
  paused: ReadonlyMap<LocalHour, number>;
  dailyBudget?: number | null;
}

function campaignOf({ spend, paused, dailyBudget = null }: Given): PausedCampaign {
  const knownUntil = Math.min(...paused.keys());
  const usual = spend.slice().fill(NaN, knownUntil);
  return {
    actual: { first: 0, values: spend },
    usual: { first: 0, values: usual },
    paused,
    knownUntil,
    dailyBudget,
  };
}

describe('[SPEND-02] of 1,000 outages of all lengths in generated years', () => {
  const years = Array.from({ length: 25 }, (_, seed) => yearOf(seed, 1 + (seed % 12)));
  const found = years.flatMap((year, account) =>
    Array.from({ length: 40 }, (_, n) => {
      const { campaigns, truth } = outageIn(year, 1000 * account + n);
      return { truth, ...estimate(campaigns, null, true) };
    }),
  );

  test.each(['notSpent', 'kept', 'later'] as const)('%s lies in its range in at least 80 %', (part) => {
    const inside = found.filter(({ truth, [part]: range }) => {
      const slack = 1e-9 * truth.notSpent;
      return range !== null && range.low <= truth[part] + slack && truth[part] <= range.high + slack;
    });
    expect(inside.length).toBeGreaterThanOrEqual(800);
  });

  test('what was not spent is not always in the middle third, and half of the errors are below 10 %', () => {
    const inMiddle = found.filter(({ truth: { notSpent }, notSpent: { low, high } }) => {
      return Math.abs(notSpent - (low + high) / 2) < (high - low) / 6;
    });
    expect(inMiddle.length).toBeLessThan(400);
    const errors = found.map(({ truth, notSpent: { likely } }) => Math.abs(likely / truth.notSpent - 1));
    expect(quantile(errors, 0.5)).toBeLessThan(0.1);
  });
});

/** 100 an hour from day to day, but what a test changes. */
const steady = (changed: Record<LocalHour, number> = {}) => {
  const spend = new Float64Array(70 * 24).fill(100);
  for (const [hour, value] of Object.entries(changed)) spend[Number(hour)] = value;
  return spend;
};
const NOON = 60 * 24 + 12;
const exactly = (value: number) => ({ low: value, likely: value, high: value });
const near = (value: number) => {
  const about: unknown = expect.closeTo(value, 6);
  return { low: about, likely: about, high: about };
};

describe('an estimate', () => {
  const paused = pausedIn(NOON, NOON + 2.5);
  const off = { [NOON]: 0, [NOON + 1]: 0, [NOON + 2]: 50 };
  const of = (given: Partial<Given>, comparison: Comparison | null = null, isOver = true) =>
    estimate([campaignOf({ spend: steady(off), paused, ...given })], comparison, isOver);

  test('[SPEND-02] tells what was spent later from what was kept', () => {
    const later = steady({ ...off, [NOON + 5]: 180 });
    expect(of({ spend: later })).toMatchObject({
      basis: 'hours',
      days: 56,
      ...{ campaigns: 1, withoutBudget: 0, pausedMs: hours(2.5) },
      notSpent: near(250),
      later: near(80),
      kept: near(170),
    });
    expect(of({})).toMatchObject({
      later: near(0),
      kept: near(250),
      protected: { low: 75, likely: 162.5, high: 250 },
    });
    expect(of({}, null, false)).toMatchObject({
      notSpent: near(250),
      later: null,
      kept: null,
      protected: null,
    });
  });

  test('[SPEND-02, FR-36] never exceeds what Meta may still spend on the day, 175 % of its budget', () => {
    const spentOnTheDay = 2150;
    expect(of({ dailyBudget: 1300 }).notSpent).toEqual(exactly(1300 * MOST_OF_BUDGET - spentOnTheDay));
    expect(of({ dailyBudget: 1000 }).notSpent).toEqual(exactly(0));
  });

  test('[SPEND-02] takes the waste from campaigns that ran; where these were silent, the range begins at nothing', () => {
    const usualCpms = [400, 500, 500, 500, 600];
    const comparison = { usualSpend: 1000, spend: 1000, usualCpms, cpm: 2000 };
    expect(of({}, comparison)).toMatchObject({
      protected: { low: near(175).low, likely: near(187.5).likely, high: near(200).high },
      waste: { low: 0.7, likely: 0.75, high: 0.8, isMeasured: true },
    });
    expect(of({}, { ...comparison, cpm: 400 })).toMatchObject({ protected: exactly(0) });
    expect(of({}, { ...comparison, cpm: null })).toMatchObject({
      waste: { low: 0.3, high: 1, isMeasured: false },
    });
    const silent = of({}, { ...comparison, spend: 40 });
    expect(silent).toMatchObject({
      notSpent: { ...near(250), low: 0 },
      kept: { ...near(250), low: 0 },
      waste: { low: 0, likely: 0.65, high: 1, isMeasured: false },
    });
    expect(silent.protected?.low).toBe(0);
  });

  test('[SPEND-02] a blackout, in which many others delivered nothing as well, kept nothing', () => {
    const comparison = { usualSpend: 1000, usualCpms: [500], cpm: null, isWide: true };
    const none = { low: 0, likely: 0, high: 0 };
    for (const dailyBudget of [2400, null])
      expect(of({ dailyBudget }, { ...comparison, spend: 40 })).toMatchObject({
        ...{ notSpent: none, later: none, kept: none, protected: none },
        waste: { ...none, isMeasured: true },
      });
    const few = { spend: new Float64Array(NOON).fill(NaN, 0, NOON - 6 * 24), dailyBudget: 2400 };
    expect(of(few, { ...comparison, spend: 40 })).toMatchObject({ basis: 'budget', notSpent: none });
    // Others here delivered.
    expect(of({}, { ...comparison, spend: 900 }).notSpent.likely).toBeGreaterThan(0);
  });

  test.each([
    ['too few days are known', { spend: new Float64Array(NOON).fill(NaN, 0, NOON - 6 * 24) }],
    ['it spent nothing before', { spend: new Float64Array(NOON) }],
  ])('[SPEND-02] is by daily budget where %s', (_, { spend }) => {
    const found = of({ spend, dailyBudget: 2400 });
    expect(found).toMatchObject({
      basis: 'budget',
      notSpent: { low: 0, likely: 250, high: 437.5 },
      kept: null,
    });
    const withoutBudget = { campaigns: 1, withoutBudget: 1, pausedMs: hours(2.5) };
    expect(of({ spend })).toMatchObject({ basis: 'budget', notSpent: exactly(0), ...withoutBudget });
  });

  test('[SPEND-02] follows weekdays, and leaves out hours that were unusual', () => {
    const weekend = steady().map((value, hour) => (Math.floor(hour / 24) % 7 < 2 ? 3 * value : value));
    const today = Math.floor(NOON / 24) % 7;
    expect(of({ spend: weekend }).notSpent).toEqual(near(today < 2 ? 750 : 250));
    const unusual = weekend.slice().fill(NaN, NOON - 30 * 24, NOON - 30 * 24 + 5);
    expect(of({ spend: unusual }).notSpent.low).toBeGreaterThan(0.9 * of({ spend: weekend }).notSpent.low);
  });

  const year = yearOf(5, 3);
  const anOutage = fc.record({
    start: fc.double({ min: 24 * 60, max: 24 * 61, noNaN: true }),
    length: fc.double({ min: 0.02, max: 40, noNaN: true }),
    more: fc.double({ min: 0.02, max: 20, noNaN: true }),
    budget: fc.option(fc.double({ min: 1, max: 1e6, noNaN: true })),
    unknown: fc.array(fc.integer({ min: 0, max: 24 * 60 }), { maxLength: 200 }),
  });

  test('[SPEND-02] is never negative, above the remaining budget, or less for a longer pause', () => {
    fc.assert(
      fc.property(anOutage, ({ start, length, more, budget, unknown }) => {
        const until = (end: number) => {
          const campaigns = year.map(({ spend }) => {
            const known = spend.slice(0, 70 * 24);
            for (const hour of unknown) known[hour] = NaN;
            return campaignOf({ spend: known, paused: pausedIn(start, end), dailyBudget: budget });
          });
          return estimate(campaigns, null, true);
        };
        const [short, long] = [until(start + length), until(start + length + more)];
        for (const { notSpent, later, kept, protected: ours } of [short, long])
          for (const range of [notSpent, later, kept, ours]) {
            if (range === null) continue;
            expect(0 <= range.low && range.low <= range.likely && range.likely <= range.high).toBe(true);
            const days = Math.ceil((start + length + more) / 24) - Math.floor(start / 24);
            expect(range.high).toBeLessThanOrEqual(3 * days * MOST_OF_BUDGET * (budget ?? Infinity));
          }
        for (const part of ['low', 'likely', 'high'] as const)
          expect(long.notSpent[part]).toBeGreaterThanOrEqual(short.notSpent[part] - 1e-9);
      }),
      { seed: 61, numRuns: 60 },
    );
  });
});
