import type { Instant } from '../time.ts';
import type { Directive, KnownLevel, Level, Threshold } from './level.ts';
import { THRESHOLDS, effectiveLevel, levelNumber, meetsThreshold, nextKnownLevel } from './level.ts';

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

/** A level with the text of the status page for it; no quote: the level is UNKNOWN. */
export interface StatedLevel {
  level: Level;
  message: string;
  quote: string | null;
}

/** One reading of the status page. */
export interface StatusReading extends StatedLevel {
  /** A file could not be read, and the level is therefore UNKNOWN. */
  isIncomplete: boolean;
  /** The worst level in the other files; null: none. */
  atLeast: StatedLevel | null;
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

/**
 * The level that a reading states; null: the one before stands. A file that cannot be read is no information: until
 * the last complete reading is too old, the other files can only raise the level.
 */
export function statedBy(
  reading: StatusReading,
  { trueLevel, isOld }: { trueLevel: Level; isOld: boolean },
): StatedLevel | null {
  if (!reading.isIncomplete || isOld || trueLevel === 'UNKNOWN') return reading;
  const { atLeast } = reading;
  return atLeast !== null && levelNumber(atLeast.level) > levelNumber(trueLevel) ? atLeast : null;
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
