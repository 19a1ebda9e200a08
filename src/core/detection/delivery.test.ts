import { describe, expect, test } from 'vitest';
import { minutes } from '../time.ts';
import type { BusinessVote, DeliveryState, Direction, FormerDelivery, Look } from './delivery.ts';
import {
  anomalyOf,
  compareLooks,
  directionOf,
  formerHours,
  lookBefore,
  nextDelivery,
  nextLookMs,
} from './delivery.ts';
import { evidenceText } from './words.ts';

const T0 = Date.parse('2026-06-17T15:00:00Z');
const AT = (minute: number): number => T0 + minutes(minute);

describe('[EARLY-01] a look at what an ad account has delivered', () => {
  const day = '2026-06-17';
  test.each([
    ['the one of two looks ago', [20, 40, 60], 80, 40],
    ['the nearest to 40 minutes, also after a look that came sooner', [0, 20, 40], 45, 0],
    ['none that is too near', [20, 40], 49, null],
    ['half an hour is enough', [20, 40], 50, 20],
    ['an hour at most', [0], 60, 0],
    ['none that is too far', [0], 61, null],
    ['none at first', [], 40, null],
  ])('is compared with %s', (_what, former, now, expected) => {
    const looks = former.map((minute) => ({ at: AT(minute), day }));
    expect(lookBefore({ at: AT(now), day }, looks)?.at ?? null).toBe(expected === null ? null : AT(expected));
  });

  test('is not compared across midnight, where Meta counts from 0 again', () => {
    expect(lookBefore({ at: AT(40), day }, [{ at: T0, day: '2026-06-16' }])).toBeNull();
  });

  test('stands beside the parts of the same hours of eight weeks', () => {
    const hours = formerHours('America/New_York', { from: AT(-10), until: AT(30) }, []);
    expect(hours).toHaveLength(16);
    expect(hours.slice(0, 2)).toEqual([
      {
        ...{ week: 1, day: '2026-06-10', hour: 10, part: 10 / 60 },
        ...{ from: AT(-10 - 7 * 1440), until: AT(30 - 7 * 1440) },
      },
      {
        ...{ week: 1, day: '2026-06-10', hour: 11, part: 0.5 },
        ...{ from: AT(-10 - 7 * 1440), until: AT(30 - 7 * 1440) },
      },
    ]);
    expect(hours.at(-1)).toMatchObject({ week: 8, day: '2026-04-22', hour: 11 });
  });

  test('the clock counts where it changes: 10 o’clock stays 10 o’clock', () => {
    const at = Date.parse('2026-03-10T14:00:00Z');
    const [first] = formerHours('America/New_York', { from: at, until: at + minutes(40) }, []);
    expect(first).toMatchObject({ day: '2026-03-03', hour: 10 });
  });

  test('weeks of an outage or of the season are left out', () => {
    const window = { from: AT(0), until: AT(40) };
    const outage = { from: AT(39 - 14 * 1440), until: AT(50 - 14 * 1440) };
    const weeks = (at: number, outages = [outage]) =>
      new Set(formerHours('UTC', { from: at, until: at + minutes(40) }, outages).map(({ week }) => week));
    expect(weeks(window.from)).toEqual(new Set([1, 3, 4, 5, 6, 7, 8]));
    // Thursdays: 31 and 24 December, and Thanksgiving.
    expect(weeks(Date.parse('2027-01-07T15:00:00Z'), [])).toEqual(new Set([3, 4, 5, 7, 8]));
    // Black Friday by the ad account's own clock has no vote.
    expect(weeks(Date.parse('2026-11-27T00:00:00Z'), [])).toEqual(new Set());
  });
});

const look = (campaigns: Look['campaigns'], at = T0): Look => ({ at, day: '2026-06-17', campaigns });
const weeksOf = (campaignId: string, weeks: readonly number[], spend = 1000): FormerDelivery[] =>
  weeks.map((week) => ({ campaignId, week, spend: spend + week, impressions: 100 }));

describe('[EARLY-01] two looks', () => {
  test('show what the campaigns delivered between them, that are in both and have four weeks', () => {
    const before = look({ a: [5000, 500], b: [900, 90], new: [1, 1], corrected: [70, 7] });
    const now = look({ a: [5700, 580], b: [900, 90], began: [400, 4], new: [800, 1], corrected: [60, 6] });
    const known = [
      ...weeksOf('a', [1, 2, 3, 4, 5]),
      ...weeksOf('b', [1, 2, 3, 4]),
      ...weeksOf('corrected', [1, 2, 3, 4]),
      ...weeksOf('began', [1, 2, 3, 4]),
      ...weeksOf('new', [1, 2, 3]),
    ];
    expect(compareLooks(now, before, known)).toEqual({
      observed: { spend: 700, impressions: 80 },
      // Of the fifth week only one campaign is known.
      former: [1, 2, 3, 4].map((week) => ({ spend: 3000 + 3 * week, impressions: 300 })),
    });
  });

  const FORMER = [4000, 5000, 6000, 5000].map((spend) => ({ spend, impressions: 500 }));
  test.each([
    ['as expected', 5000, 500, 'usual'],
    ['nothing', 0, 0, 'low'],
    ['29 %', 1450, 145, 'low'],
    ['31 %, however far from usual', 1550, 155, 'usual'],
    ['1.9 times', 9500, 950, 'usual'],
    ['three times', 15_000, 1500, 'high'],
    ['the same spend at three times the CPM', 5000, 160, 'high'],
    ['little at a higher CPM is low', 400, 1, 'low'],
    ['spend without any impression', 5000, 0, 'usual'],
  ] as const)('%s', (_what, spend, impressions, expected) => {
    expect(directionOf({ observed: { spend, impressions }, former: FORMER }, 1)).toBe(expected);
  });

  test('a higher CPM counts from $5 on', () => {
    const former = FORMER.map(() => ({ spend: 800, impressions: 80 }));
    const of = (spend: number) => directionOf({ observed: { spend, impressions: 10 }, former }, 1);
    expect([of(500), of(499)]).toEqual(['high', 'usual']);
  });

  test.each([
    ['three weeks', FORMER.slice(1), 1, null],
    ['less than $5 expected', FORMER.map((one) => ({ ...one, spend: 499 })), 1, null],
    ['$5 expected', FORMER.map((one) => ({ ...one, spend: 500 })), 1, 'low'],
    ['500 of a currency of less worth', FORMER.map((one) => ({ ...one, spend: 500 })), 0.01, null],
    // ln(50) apart: 0.3 of the middle one is no outlier.
    ['very different weeks', [100, 600, 5000, 30_000].map((spend) => ({ spend, impressions: 9 })), 1, null],
  ] as const)('%s', (_what, former, cents, expected) => {
    const direction = directionOf({ observed: { spend: 140, impressions: 14 }, former }, cents);
    expect(direction === 'usual' ? null : direction).toBe(expected);
  });
});

/** @param given of ad accounts, each of them with the business of its number divided by three */
function votes(given: Partial<Record<Direction | 'usual', number>>, at = T0, ofBusiness = 3): BusinessVote[] {
  let index = 0;
  return (['low', 'high', 'usual'] as const).flatMap((direction) =>
    Array.from({ length: given[direction] ?? 0 }, () => ({
      ...{ at, from: at - minutes(40), direction },
      business: `b${Math.floor(index++ / ofBusiness)}`,
    })),
  );
}

describe('[EARLY-02] an anomaly of delivery', () => {
  test.each([
    [{ low: 10, usual: 22 }, 3, { direction: 'low', accounts: 10, ofAccounts: 32, businesses: 4 }],
    [{ high: 12, low: 5, usual: 23 }, 3, { direction: 'high', accounts: 12, ofAccounts: 40, businesses: 5 }],
    // 29 % of them.
    [{ low: 10, usual: 24 }, 3, null],
    // Of three businesses.
    [{ low: 9, usual: 10 }, 3, null],
    // Five ad accounts.
    [{ low: 5, usual: 1 }, 1, null],
    [{ low: 6 }, 1, { accounts: 6, businesses: 6 }],
    [{}, 1, null],
  ])('%j', (given, ofBusiness, expected) => {
    const found = anomalyOf(votes(given, T0, ofBusiness));
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ ...expected, since: AT(-40) });
  });

  const WIDE = { low: 10, usual: 20 };
  const watch = (): DeliveryState | null => nextDelivery(null, votes(WIDE), AT(1));

  test('is watched, and suspected once later looks show it too', () => {
    const before = watch();
    expect(before).toMatchObject({ state: 'WATCH', since: AT(1), evidence: { since: AT(-40) } });
    // The same looks say nothing new, nor do those of too few.
    expect(nextDelivery(before, votes(WIDE), AT(2))).toEqual({
      ...before,
      evidence: { ...before?.evidence, foundAt: AT(2) },
    });
    const usual = votes({ usual: 20 }).map((one) => ({ ...one, business: 'other' }));
    const few = [...votes({ low: 5 }, AT(6)), ...votes({ low: 5 }), ...usual];
    expect(nextDelivery(before, few, AT(6))?.state).toBe('WATCH');
    const again = nextDelivery(before, [...votes({ low: 10 }, AT(6)), ...usual], AT(6));
    expect(again).toMatchObject({ state: 'SUSPECTED', since: AT(6), evidence: { since: AT(-40) } });
    expect(nextDelivery(again, votes({ low: 15, usual: 5 }, AT(20)), AT(20))).toMatchObject({
      state: 'SUSPECTED',
      since: AT(6),
      evidence: { accounts: 15, since: AT(-40) },
    });
  });

  test('ends when enough ad accounts are as usual', () => {
    expect(nextDelivery(watch(), votes({ low: 2, usual: 28 }, AT(6)), AT(6))).toBeNull();
    const suspected = nextDelivery(watch(), votes(WIDE, AT(6)), AT(6));
    expect(nextDelivery(suspected, votes({ low: 2, usual: 28 }, AT(20)), AT(20))).toBeNull();
  });

  test('lasts while half as many show it', () => {
    const suspected = nextDelivery(watch(), votes(WIDE, AT(6)), AT(6));
    const after = (given: Parameters<typeof votes>[0], ofBusiness = 3) =>
      nextDelivery(suspected, votes(given, AT(20), ofBusiness), AT(20));
    expect(after({ low: 5, usual: 28 })).toMatchObject({ state: 'SUSPECTED', evidence: { accounts: 5 } });
    // 14 %, two ad accounts, and one business.
    expect(after({ low: 4, usual: 24 })).toBeNull();
    expect(after({ low: 2, usual: 8 }, 1)).toBeNull();
    expect(after({ low: 3, usual: 14 })).toBeNull();
    // Half as many do not confirm it.
    expect(nextDelivery(watch(), votes({ low: 5, usual: 20 }, AT(6)), AT(6))?.state).toBe('WATCH');
  });

  test('lasts while too few have a vote, for an hour after it was last found', () => {
    const suspected = nextDelivery(watch(), votes(WIDE, AT(6)), AT(6));
    expect(suspected).toMatchObject({ state: 'SUSPECTED', evidence: { foundAt: AT(6) } });
    // What SmartPause has paused has no vote, and what others look at is usual.
    for (const few of [[], votes({ usual: 5 }, AT(65))]) {
      expect(nextDelivery(suspected, few, AT(65))).toBe(suspected);
      expect(nextDelivery(suspected, few, AT(66))).toBeNull();
    }
    const later = nextDelivery(suspected, votes(WIDE, AT(20)), AT(20));
    expect(nextDelivery(later, [], AT(79))).toBe(later);
    expect(nextDelivery(later, [], AT(80))).toBeNull();
  });

  test('votes that are too old begin nothing', () => {
    expect(nextDelivery(null, votes(WIDE), AT(30))).not.toBeNull();
    expect(nextDelivery(null, votes(WIDE), AT(31))).toBeNull();
  });

  test('what Meta delivers late ends it, and is one of its own', () => {
    const suspected = nextDelivery(watch(), votes(WIDE, AT(6)), AT(6));
    const late = votes({ high: 12, usual: 10 }, AT(20));
    expect(nextDelivery(suspected, late, AT(20))).toBeNull();
    const high = nextDelivery(null, late, AT(21));
    expect(high).toMatchObject({ state: 'WATCH', since: AT(21), evidence: { direction: 'high' } });
  });

  test('a sale hides no outage: low delivery is another anomaly, also while much is high', () => {
    const sale = nextDelivery(null, votes({ high: 24, usual: 36 }), AT(1));
    expect(sale).toMatchObject({ evidence: { direction: 'high' } });
    const both = nextDelivery(sale, votes({ high: 10, low: 36, usual: 14 }, AT(20)), AT(20));
    expect(both).toMatchObject({
      state: 'WATCH',
      since: AT(20),
      evidence: { direction: 'low', accounts: 36 },
    });
    // The reverse says nothing new.
    const low = nextDelivery(null, votes(WIDE), AT(1));
    const high = nextDelivery(low, votes({ low: 10, high: 20, usual: 10 }, AT(20)), AT(20));
    expect(high).toMatchObject({ evidence: { direction: 'low' } });
  });

  test('ad accounts are looked at every 20 minutes, and less often after the second failure', () => {
    const after = [0, 1, 2, 3, 4, 9].map((failures) => nextLookMs(failures) / minutes(1));
    expect(after).toEqual([20, 20, 40, 80, 80, 80]);
  });

  test.each([
    ['low', 'spend less than 30% of what is usual'],
    ['high', 'have at least twice the usual spend or CPM'],
  ] as const)('[EARLY-06] %s is said with how many', (direction, words) => {
    const evidence = { direction, accounts: 9, ofAccounts: 24, businesses: 6, since: T0, foundAt: T0 };
    expect(evidenceText('delivery', 'SUSPECTED', evidence)).toBe(
      `Since 11:00 AM EST, 9 of 24 ad accounts ${words}. They belong to 6 businesses.`,
    );
  });
});
