import { minutes, seconds } from './time.ts';

interface BackoffLimits {
  /** The vendor's own hint, never undercut; jitter is added on top, so that clients do not retry at the same moment. */
  hintMs?: number | null;
  firstMs?: number;
  longestMs?: number;
}

const LEAST_MS = 50;

/**
 * Exponential backoff with full jitter, for everything that retries.
 * @param attempt how many attempts have failed, from 1
 * @param random uniform in [0, 1)
 */
export function backoffMs(
  attempt: number,
  random: number,
  { hintMs = null, firstMs = seconds(1), longestMs = minutes(1) }: BackoffLimits = {},
): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 20));
  const jittered = Math.ceil(random * ceiling);
  return hintMs === null ? Math.max(LEAST_MS, jittered) : hintMs + jittered;
}
