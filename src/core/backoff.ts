import { minutes, seconds } from './time.ts';

const FIRST_MS = seconds(1);
const LONGEST_MS = minutes(1);

/**
 * Exponential backoff with full jitter, never shorter than the vendor's own hint.
 * @param attempt how many attempts have failed, from 1
 * @param roll uniform in [0, 1)
 * @param hintMs the vendor's hint; jitter is added on top, so that clients do not retry at the same moment
 */
export function backoffMs(attempt: number, roll: number, hintMs: number | null = null): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(Math.max(attempt, 1) - 1, 20));
  const jittered = Math.ceil(roll * ceiling);
  return hintMs === null ? Math.max(50, jittered) : hintMs + jittered;
}
