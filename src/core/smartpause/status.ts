import type { Instant } from '../time.ts';
import { earliest } from '../time.ts';
import type { Directive, KnownLevel, Level, Threshold } from './level.ts';
import { THRESHOLDS, effectiveLevel, meetsThreshold, nextKnownLevel } from './level.ts';

/** The reconciler's record of the platform's status. */
export interface Status {
  trueLevel: Level;
  directive: Directive | null;
  effective: Level;
  known: KnownLevel;
  /** No status has been read since a restore from backup: the level may be outdated. */
  knownIsFromBackup: boolean;
  /** Since when the known level has met, or not met, each threshold; null: since before our records. */
  matchSince: Record<Threshold, Instant | null>;
}

export const UNABLE_TO_FETCH = 'Unable to fetch status';

export const INITIAL_STATUS: Status = {
  trueLevel: 'UNKNOWN',
  directive: null,
  effective: 'UNKNOWN',
  known: 'UP',
  knownIsFromBackup: false,
  matchSince: { LOW: null, MEDIUM: null, HIGH: null },
};

/** Applies a new observation or override. Idempotent. */
export function nextStatus(
  status: Status,
  news: { trueLevel?: Level; directive?: Directive | null | undefined },
  now: Instant,
): Status {
  const trueLevel = news.trueLevel ?? status.trueLevel;
  const directive = news.directive === undefined ? status.directive : news.directive;
  const effective = effectiveLevel(trueLevel, directive);
  const known = nextKnownLevel(status.known, effective);
  const matchSince = { ...status.matchSince };
  for (const threshold of THRESHOLDS) {
    if (meetsThreshold(status.known, threshold) !== meetsThreshold(known, threshold))
      matchSince[threshold] = now;
  }
  const knownIsFromBackup = status.knownIsFromBackup && effective === 'UNKNOWN';
  return { trueLevel, directive, effective, known, knownIsFromBackup, matchSince };
}

/** Thresholds that the level meets now or met before: a change concerns the users with these thresholds. */
export function touchedThresholds(before: Status, after: Status): Threshold[] {
  return THRESHOLDS.filter((t) => meetsThreshold(before.known, t) || meetsThreshold(after.known, t));
}

/** The matches that last, without those that began before our records. */
export function matchesOf({ known, matchSince }: Status): { threshold: Threshold; since: Instant }[] {
  const met = THRESHOLDS.filter((one) => meetsThreshold(known, one));
  return met.flatMap((threshold) => {
    const since = matchSince[threshold];
    return since === null ? [] : { threshold, since };
  });
}

/** When the first of them began; null: there is none. */
export function firstMatchSince(status: Status): Instant | null {
  return earliest(matchesOf(status).map(({ since }) => since));
}

/** One service on the status page, as one reading found it. */
export interface Component {
  product: string;
  name: string;
  /** Null: not read, or not understood. */
  level: KnownLevel | null;
  /** The page's text, unchanged: the service's own line, then its open outages. */
  said: string[];
  isWatched: boolean;
}

/** True if the last observation is too old to describe the current status. */
export function isStale(checkedAt: Instant | null, now: Instant, staleMs: number): boolean {
  return checkedAt === null || now - checkedAt > staleMs;
}

/** A stale status is UNKNOWN until the next observation. */
export function currentStatus<S extends Status & { checkedAt: Instant | null }>(
  status: S,
  now: Instant,
  staleMs: number,
): S {
  if (!isStale(status.checkedAt, now, staleMs)) return status;
  return { ...status, trueLevel: 'UNKNOWN', effective: effectiveLevel('UNKNOWN', status.directive) };
}
