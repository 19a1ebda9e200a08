import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';
import type { Directive, KnownLevel, Level, Threshold } from './level.ts';
import { THRESHOLDS, effectiveLevel, meetsThreshold, nextKnownLevel } from './level.ts';

/** Everything the engine believes of the platform's status. */
export interface Status {
  trueLevel: Level;
  directive: Directive | null;
  effective: Level;
  known: KnownLevel;
  /** No status has been read since a backup was restored: its level says nothing about now. */
  knownIsFromBackup: boolean;
  /** Since when each threshold has been met, or not met, by the known level; null: for as long as we know. */
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

/** Folds a new reading or a new directive into the status. The same input twice changes nothing. */
export function nextStatus(
  status: Status,
  news: { trueLevel?: Level; directive?: Directive | null },
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

/** Thresholds that are met now, or were until now: the people behind them need a look after a change. */
export function touchedThresholds(before: Status, after: Status): Threshold[] {
  return THRESHOLDS.filter((t) => meetsThreshold(before.known, t) || meetsThreshold(after.known, t));
}

/** Whether nobody has looked for so long that the last observation says nothing about now. */
export function isStale(checkedAt: Instant | null, now: Instant, staleMs: number): boolean {
  return checkedAt === null || now - checkedAt > staleMs;
}

/** A reading that takes longer was slept over, by the machine or by us: what it says may have been true hours ago. */
const READING_MS = seconds(30);

export function isSleptOver(askedAt: Instant, answeredAt: Instant): boolean {
  return answeredAt - askedAt > READING_MS;
}

/** The status as it must be read now: a stale one is UNKNOWN until somebody has looked again. */
export function currentStatus<S extends Status & { checkedAt: Instant | null }>(
  status: S,
  now: Instant,
  staleMs: number,
): S {
  if (!isStale(status.checkedAt, now, staleMs)) return status;
  return { ...status, trueLevel: 'UNKNOWN', effective: effectiveLevel('UNKNOWN', status.directive) };
}
