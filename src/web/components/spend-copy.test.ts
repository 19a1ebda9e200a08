import { describe, expect, test } from 'vitest';
import type { SpendEstimate } from '#contract/outage-api.ts';
import { UNKNOWN_SPEND } from '#core/spend/known.ts';
import { hours, minutes } from '#core/time.ts';
import {
  amountsOf,
  keptInMonth,
  methodCopy,
  spendChartLabel,
  topOfScale,
  unknownCopy,
} from './spend-copy.ts';

const NOW = Date.parse('2026-01-09T04:30:00Z');
const KEPT: SpendEstimate = {
  currency: 'EUR',
  notSpent: { low: 38_200, likely: 52_900, high: 66_000 },
  later: { low: 11_800, likely: 18_600, high: 25_100 },
  kept: { low: 21_000, likely: 34_000, high: 46_000 },
  protected: { low: 0, likely: 0, high: 0 },
  ...{ unknown: null, knownAt: null },
  inputs: {
    ...{ basis: 'hours', days: 41, campaigns: 12, withoutBudget: 0, pausedMs: hours(9) + minutes(24) },
    waste: { low: 0.3, likely: 0.65, high: 1, isMeasured: false },
  },
};
const NONE = { notSpent: null, later: null, kept: null, protected: null };
const withInputs = (inputs: Partial<NonNullable<SpendEstimate['inputs']>>): SpendEstimate => ({
  ...KEPT,
  inputs: KEPT.inputs && { ...KEPT.inputs, ...inputs },
});

describe('[SPEND-02] what an outage kept, in words', () => {
  test('each amount has its range and its formula', () => {
    expect(amountsOf(KEPT).map(({ label, about, span }) => [label, about, span])).toEqual([
      ['Not spent while paused', '€530', '€380 to €660'],
      ['Spent later the same day', '€190', '€120 to €250'],
      ['Kept', '€340', '€210 to €460'],
      ['Protected from waste', '€0', null],
    ]);
    const formulas = amountsOf(KEPT).map(({ formula }) => formula);
    expect(formulas[3]).toBe('30% to 100% of what was kept; waste wasn’t measured');
    expect(new Set(formulas).size).toBe(4);
  });

  test('what is not known is no amount, nor is one of an unknown currency', () => {
    expect(amountsOf({ ...KEPT, later: null, kept: null, protected: null })).toHaveLength(1);
    expect(amountsOf({ ...KEPT, ...NONE, inputs: null })).toEqual([]);
    expect(amountsOf({ ...KEPT, currency: '' })).toEqual([]);
  });

  test('an estimate by daily budgets says so, and what it leaves out', () => {
    const budget = withInputs({ basis: 'budget', days: 0, withoutBudget: 2 });
    expect(amountsOf(budget)[0]?.formula).toBe('Daily budget × time paused');
    expect(methodCopy(budget)).toEqual([
      'By daily budget: 10 campaigns, paused for 9 h 24 min in total.',
      '2 campaigns without a daily budget are left out.',
      'Meta may spend up to 175% of a daily budget in a day.',
    ]);
  });

  test('measured waste has one share, and where other campaigns were silent it says that', () => {
    const measured = withInputs({ waste: { low: 0.5, likely: 0.5, high: 0.5, isMeasured: true } });
    expect(amountsOf(measured)[3]?.formula).toBe('50% of what was kept');
    const silent = withInputs({ waste: { low: 0, likely: 0.65, high: 1, isMeasured: false } });
    expect(methodCopy(silent)[2]).toBe(
      'Your other campaigns in these ad accounts delivered nothing, so the range begins at 0.',
    );
    const blackout = {
      ...withInputs({ waste: { low: 0, likely: 0, high: 0, isMeasured: true } }),
      notSpent: { low: 0, likely: 0, high: 0 },
    };
    expect(methodCopy(blackout).slice(1)).toEqual([
      'Meta delivered nothing, here and for many other advertisers. It charges nothing then.',
    ]);
    expect(amountsOf(blackout)).toMatchObject([{ name: 'notSpent', formula: 'Meta delivered nothing' }]);
    // Campaigns that usually spend nothing at that hour, where Meta did deliver.
    const asleep = { ...measured, notSpent: blackout.notSpent };
    expect(methodCopy(asleep).join(' ')).not.toContain('Meta delivered nothing');
    expect(methodCopy(KEPT)[0]).toBe(
      'Compared with 41 earlier days: 12 campaigns, paused for 9 h 24 min in total.',
    );
  });

  test('each unknown amount has a reason of at most 18 words, and of a reason that the page does not know', () => {
    const copies = [...UNKNOWN_SPEND, null].map((unknown) => unknownCopy({ ...KEPT, ...NONE, unknown }, NOW));
    expect(new Set(copies).size).toBe(copies.length);
    for (const copy of copies)
      for (const sentence of copy?.split(/[.] ?/) ?? [''])
        expect(sentence.split(' ').length).toBeLessThan(19);
    expect(unknownCopy(KEPT, NOW)).toBeNull();
  });

  test('the time at which the rest is known is in New York’s zone', () => {
    const knownAt = '2026-01-09T11:00:00.000Z';
    expect(unknownCopy({ ...KEPT, unknown: 'not_read_yet', knownAt }, NOW)).toMatch(
      /^Known from about Jan 9, 2026, 6:00 AM EST(?: \(.* your time\))?, when Meta’s values have settled\.$/,
    );
  });
});

describe('[SPEND-03] months and hours in words', () => {
  const of = {
    month: '2026-11',
    currency: 'EUR',
    pausedMs: hours(9),
    protected: { low: 0, likely: 0, high: 0 },
  };

  test.each([
    [
      { outages: 2, unknown: 0 },
      { about: '€340', span: '€210 to €460', note: null },
    ],
    [
      { outages: 3, unknown: 1 },
      { about: '€340', span: '€210 to €460', note: '1 of 3 outages not known' },
    ],
    [
      { outages: 1, unknown: 1 },
      { about: '–', span: '–', note: '1 of 1 outage not known' },
    ],
  ])('%j', (counts, copy) => {
    const kept = { low: 21_000, likely: 34_000, high: 46_000 };
    expect(keptInMonth({ ...of, ...counts, kept })).toEqual(copy);
  });

  test.each([
    [[], 1],
    [[0.2], 1],
    [[1, 3], 5],
    [[100], 100],
    [[101], 200],
    [[5001, 20], 10_000],
  ])('the scale of %j ends with %d', (values, top) => {
    expect(topOfScale(values)).toBe(top);
  });

  test('the picture says what an hour cost in the outage and around it', () => {
    const spent = [100, 300, 800].map((spend, n) => ({ from: hours(n), to: hours(n + 1), spend }));
    const label = (start: number, end: number) => spendChartLabel(spent, { start, end }, 'USD');
    expect(label(minutes(70), minutes(80))).toBe(
      'Spend by hour: $3.00 an hour in the outage, $4.50 an hour around it',
    );
    expect(label(0, hours(3))).toBe('Spend by hour: $4.00 an hour in the outage');
    expect(label(hours(5), hours(6))).toBe('Spend by hour: $4.00 an hour around it');
  });
});
