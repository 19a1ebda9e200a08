import type { PlatformFailure } from '../platform.ts';
import type { Instant } from '../time.ts';
import { hours, minutes } from '../time.ts';
import type { CallKind } from './votes.ts';

/** The last run of the calls on the operator's own ad account. */
export interface CanaryRun {
  at: Instant;
  /** Runs in succession with a failed call. */
  failures: number;
  /** What failed, by the platform's code, or the message of the connection; absent: it succeeded, or was not called. */
  failed: Partial<Record<CallKind, string>>;
  /** `down`: the platform's fault. `refused`: that of the token, its permissions or the ad account. `limited`: too many calls. */
  why: 'down' | 'refused' | 'limited' | null;
  /** The campaign whose write it validates, as last read; null: the ad account has none. */
  campaign: { id: string; status: string } | null;
  /** Highest percentage of a rate limit that the run has seen. */
  usedPercent: number;
}

const EVERY_MS = minutes(1);
const SPARING_MS = minutes(5);
const LIMITED_MS = minutes(30);
const USED_PERCENT = 50;
/** Shorter than the time without votes that ends a suspicion. */
const LONGEST_MS = minutes(8);
/** A refusal lasts until the operator mends it. */
const LONGEST_REFUSED_MS = hours(1);
/** The interval doubles after so many failed runs: Meta's full access needs fewer than 15 % errors in 500 calls. */
const RUNS_EACH = 3;
/** From then on it reads only, and later has one call a run. */
const WRITES_FOR = 3;
const SPEND_FOR = 12;

/** When it calls again. */
export function nextRunAt({ at, failures, why, usedPercent }: CanaryRun): Instant {
  if (why === 'limited') return at + LIMITED_MS;
  if (why === 'refused') return at + Math.min(EVERY_MS * 2 ** failures, LONGEST_REFUSED_MS);
  if (why === 'down') return at + Math.min(EVERY_MS * 2 ** Math.floor(failures / RUNS_EACH), LONGEST_MS);
  return at + (usedPercent < USED_PERCENT ? EVERY_MS : SPARING_MS);
}

/** So many refusals in a row come within two hours. */
const NEWLY_REFUSED_RUNS = 6;

/** The token is refused that was accepted a short time ago: that may be the platform's fault, unlike a token left to expire. */
export function isNewlyRefused({ failures, failed }: CanaryRun): boolean {
  return failures <= NEWLY_REFUSED_RUNS && Object.values(failed).some((one) => one.startsWith('error 190'));
}

/** What the run after this one calls, besides the list of campaigns. */
export function callsAfter(before: CanaryRun | null): { writes: boolean; spend: boolean } {
  const { failures = 0, why = null } = before ?? {};
  return { writes: failures < WRITES_FOR, spend: failures < (why === 'refused' ? WRITES_FOR : SPEND_FOR) };
}

/** @param failures of one run */
export function reasonOf(failures: readonly Pick<PlatformFailure, 'kind'>[]): CanaryRun['why'] {
  const kinds = new Set(failures.map(({ kind }) => kind));
  if (kinds.has('rate_limited') || kinds.has('app_limited')) return 'limited';
  if (kinds.has('transient')) return 'down';
  return kinds.size === 0 ? null : 'refused';
}
