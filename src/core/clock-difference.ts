import type { Instant } from './time.ts';

/**
 * By how much another clock is ahead of ours; unchanged unless a reading contradicts it. The other clock was read
 * between request and response, so a slow response never changes a correct value. If our clock was put back in
 * between, its time of the response counts.
 * @param reading `at`: the other clock's time; the rest by ours
 */
export function clockDifference(
  before: number,
  { sentAt, at, receivedAt }: { sentAt: Instant; at: Instant; receivedAt: Instant },
  resolutionMs: number,
): number {
  return Math.max(Math.min(before, at + resolutionMs - sentAt), at - receivedAt);
}
