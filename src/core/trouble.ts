import type { Instant } from './time.ts';

/** Something around us fails: since when, and what it last said. */
export interface Trouble {
  since: Instant;
  lastError: string;
}
