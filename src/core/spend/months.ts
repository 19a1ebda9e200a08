import { monthOf } from '../new-york.ts';
import type { Instant } from '../time.ts';
import type { Estimate, Range } from './estimate.ts';
import { NOTHING } from './estimate.ts';

/** What the outages of a month kept from being spent, in one currency. */
export interface MonthOfSpend {
  /** '2026-11', in New York. */
  month: string;
  currency: string;
  outages: number;
  /** Of these, those of which it is not known. They are not in the sums. */
  unknown: number;
  pausedMs: number;
  kept: Range;
  protected: Range;
}

/** Newest first. The lowest of all outages together is a wider range than that of one: all may be low on the same day. */
export function spendByMonth(
  outages: readonly { startedAt: Instant; currency: string; estimate: Estimate }[],
): MonthOfSpend[] {
  const months = new Map<string, MonthOfSpend>();
  for (const { startedAt, currency, estimate } of outages) {
    const month = monthOf(startedAt);
    const sum = months.get(`${month} ${currency}`) ?? {
      ...{ month, currency, outages: 0, unknown: 0, pausedMs: 0, kept: NOTHING, protected: NOTHING },
    };
    months.set(`${month} ${currency}`, {
      ...sum,
      outages: sum.outages + 1,
      unknown: sum.unknown + Number(estimate.kept === null),
      pausedMs: sum.pausedMs + estimate.pausedMs,
      kept: added(sum.kept, estimate.kept),
      protected: added(sum.protected, estimate.protected),
    });
  }
  return [...months.values()].toSorted(
    (a, b) => b.month.localeCompare(a.month) || a.currency.localeCompare(b.currency),
  );
}

function added(sum: Range, one: Range | null): Range {
  if (one === null) return sum;
  return { low: sum.low + one.low, likely: sum.likely + one.likely, high: sum.high + one.high };
}
