import { expect, test } from 'vitest';
import { hours } from '../time.ts';
import type { Estimate, Range } from './estimate.ts';
import { spendByMonth } from './months.ts';

const estimate = (kept: Range | null): Estimate => ({
  ...{ basis: 'hours', days: 41, campaigns: 3, withoutBudget: 0, pausedMs: hours(2) },
  waste: { low: 0.3, likely: 0.65, high: 1, isMeasured: false },
  ...{ notSpent: { low: 1, likely: 2, high: 3 }, later: kept, kept, protected: kept },
});
const range = (low: number, likely: number, high: number) => ({ low, likely, high });
const outage = (time: string, currency: string, kept: Range | null) => ({
  ...{ startedAt: Date.parse(time), currency, estimate: estimate(kept) },
});

test('[SPEND-03] months are New York’s, newest first, each currency apart', () => {
  const found = spendByMonth([
    outage('2026-11-01T03:59:00Z', 'USD', range(1, 2, 3)),
    outage('2026-11-01T04:00:00Z', 'USD', range(10, 20, 30)),
    outage('2026-11-20T12:00:00Z', 'EUR', range(5, 6, 7)),
    outage('2026-11-24T12:00:00Z', 'USD', range(100, 200, 300)),
  ]);
  expect(found.map(({ month, currency, outages, kept }) => [month, currency, outages, kept])).toEqual([
    ['2026-11', 'EUR', 1, range(5, 6, 7)],
    ['2026-11', 'USD', 2, range(110, 220, 330)],
    ['2026-10', 'USD', 1, range(1, 2, 3)],
  ]);
});

test('[SPEND-03] an outage of which it is not known is counted, and in no sum', () => {
  expect(
    spendByMonth([
      outage('2026-11-20T12:00:00Z', 'USD', null),
      outage('2026-11-24T12:00:00Z', 'USD', range(1, 2, 3)),
    ]),
  ).toMatchObject([{ outages: 2, unknown: 1, pausedMs: hours(4), kept: range(1, 2, 3) }]);
  expect(spendByMonth([outage('2026-11-20T12:00:00Z', 'USD', null)])).toMatchObject([
    { outages: 1, unknown: 1, kept: range(0, 0, 0) },
  ]);
  expect(spendByMonth([])).toEqual([]);
});
