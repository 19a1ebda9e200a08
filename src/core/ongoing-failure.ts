import type { Instant } from './time.ts';

/** A dependency that fails: since when, and its last error. */
export interface OngoingFailure {
  since: Instant;
  lastError: string;
}
