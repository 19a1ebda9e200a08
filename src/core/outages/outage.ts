import type { Instant } from '../time.ts';
import type { KnownLevel, Threshold } from '../smartpause/level.ts';
import { levelNumber, meetsThreshold, worseLevel } from '../smartpause/level.ts';
import type { Cause } from '../smartpause/signals.ts';

/** From the first known level above UP until UP again. */
export interface Outage {
  startedAt: Instant;
  endedAt: Instant | null;
  peak: KnownLevel;
  levels: readonly { level: KnownLevel; at: Instant }[];
}

/**
 * What happened to one campaign in an outage. 'paused': by SmartPause, and it still is; 'being_checked': Meta shows it
 * running, and it is not known yet who resumed it; 'kept_paused': as chosen.
 */
export const OUTAGE_RESULTS = [
  ...(['paused', 'being_checked', 'resumed', 'resumed_by_user', 'resumed_outside'] as const),
  ...(['kept_paused', 'not_resumed', 'not_paused'] as const),
] as const;
export type OutageResult = (typeof OUTAGE_RESULTS)[number];

export const RESULT_LABELS: Readonly<Record<OutageResult, string>> = {
  paused: 'Still paused',
  being_checked: 'Running, being checked',
  resumed: 'Resumed',
  resumed_by_user: 'Resumed by you',
  resumed_outside: 'Resumed outside SmartPause',
  kept_paused: 'Kept paused',
  not_resumed: 'Not resumed',
  not_paused: 'Not paused by SmartPause',
};

/** What an entry of the user's log is about. */
export const HISTORY_KINDS = [
  ...OUTAGE_RESULTS,
  ...(['outside', 'refused', 'manual', 'setting', 'login', 'billing', 'access', 'other'] as const),
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** Adds one known level to the open outage. Returns null while there is no outage. */
export function foldOutage(open: Outage | null, level: KnownLevel, at: Instant): Outage | null {
  if (open === null) {
    return level === 'UP' ? null : { startedAt: at, endedAt: null, peak: level, levels: [{ level, at }] };
  }
  if (open.levels.at(-1)?.level === level) return open;
  return {
    ...open,
    endedAt: level === 'UP' ? at : null,
    peak: worseLevel(open.peak, level),
    levels: [...open.levels, { level, at }],
  };
}

/** The one of a pause that was decided then; one by the user's own word or by an early warning is of none. @param outages oldest first */
export function outageOf<T extends Pick<Outage, 'startedAt' | 'peak'>>(
  outages: readonly T[],
  { decidedAt, threshold, by }: { decidedAt: Instant; threshold: Threshold; by?: Cause },
): T | null {
  if (by !== undefined && by !== 'status') return null;
  return outages.findLast((one) => one.startedAt <= decidedAt && meetsThreshold(one.peak, threshold)) ?? null;
}

/** Whether it was open at some time between these. */
export function wasOpenBetween(
  { startedAt, endedAt }: Pick<Outage, 'startedAt' | 'endedAt'>,
  { from, to }: { from: Instant; to: Instant },
): boolean {
  return startedAt <= to && (endedAt === null || endedAt >= from);
}

/** Since when the outage has been at this level or a worse one without a break; null: it is not now. */
export function levelSince({ levels }: Pick<Outage, 'levels'>, level: KnownLevel): Instant | null {
  const isMilder = (one: { level: KnownLevel }): boolean => levelNumber(one.level) < levelNumber(level);
  return levels[levels.findLastIndex(isMilder) + 1]?.at ?? null;
}

/** All outages in a history of known levels, oldest first. */
export function outagesOf(history: readonly { level: KnownLevel; at: Instant }[]): Outage[] {
  const outages: Outage[] = [];
  let open: Outage | null = null;
  for (const { level, at } of history) {
    open = foldOutage(open, level, at);
    if (open?.endedAt != null) {
      outages.push(open);
      open = null;
    }
  }
  return open === null ? outages : [...outages, open];
}
