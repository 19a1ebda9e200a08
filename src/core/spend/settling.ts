import type { Instant } from '../time.ts';
import { hours } from '../time.ts';

/** Of a day's final spend at the account's midnight, and later: one vendor's figures for Meta's Insights. */
const SETTLED: readonly (readonly [ms: number, share: number])[] = [
  [0, 0.9],
  [hours(1), 0.92],
  [hours(2), 0.97],
  [hours(3), 0.99],
  [hours(24), 1],
];

/** What share of the final spend of a day Meta shows. @param sinceEnd ms from the end of the day until it was read */
export function settledShare(sinceEnd: number): number {
  const [first, ...rest] = SETTLED as [(typeof SETTLED)[number], ...typeof SETTLED];
  let [before, low] = first;
  if (sinceEnd <= before) return low;
  for (const [at, high] of rest) {
    if (sinceEnd < at) return low + ((high - low) * (sinceEnd - before)) / (at - before);
    [before, low] = [at, high];
  }
  return 1;
}

/** The final spend that values of a day stand for. */
export function settled(spend: number, dayEnd: Instant, readAt: Instant): number {
  return spend / settledShare(readAt - dayEnd);
}
