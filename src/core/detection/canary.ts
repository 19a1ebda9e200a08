import type { Instant } from '../time.ts';
import { minutes } from '../time.ts';
import type { CallKind } from './votes.ts';

/** The last run of the calls on the operator's own ad account. */
export interface CanaryRun {
  at: Instant;
  /** Runs in succession with a failed call. */
  failures: number;
  /** What failed, by the platform's code, or the message of the connection; absent: it succeeded, or was not called. */
  failed: Partial<Record<CallKind, string>>;
  /** The campaign whose write it validates, as last read; null: the ad account has none. */
  campaign: { id: string; status: string } | null;
  /** Highest percentage of a rate limit that it has seen. */
  usedPercent: number;
}

const EVERY_MS = minutes(1);
const SPARING_MS = minutes(5);
const USED_PERCENT = 50;
/** Shorter than the time without votes that ends a suspicion. */
const LONGEST_MS = minutes(8);
/** The interval doubles after so many failed runs: Meta's full access needs fewer than 15 % errors in 500 calls. */
const RUNS_EACH = 3;
/** From then on it reads only. */
const WRITES_FOR = 3;

/** When it calls again. */
export function nextRunAt({ at, failures, usedPercent }: CanaryRun): Instant {
  if (failures > 0) return at + Math.min(EVERY_MS * 2 ** Math.floor(failures / RUNS_EACH), LONGEST_MS);
  return at + (usedPercent < USED_PERCENT ? EVERY_MS : SPARING_MS);
}

export function mayWrite(before: CanaryRun | null): boolean {
  return (before?.failures ?? 0) < WRITES_FOR;
}
