import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';
import type { Directive, KnownLevel, Level } from './level.ts';
import { levelNumber, nextKnownLevel } from './level.ts';
import type { Status } from './status.ts';
import { isStale, nextStatus } from './status.ts';

/** A level with the text of the status page for it; no quote: the level is UNKNOWN. */
export interface StatedLevel {
  level: Level;
  message: string;
  quote: string | null;
}

/** The dates of the files that were read, by path; null: without a date that can be compared. */
export type FileDates = Readonly<Record<string, Instant | null>>;

/** One reading of the status page. */
export interface StatusReading extends StatedLevel {
  /** A file could not be read, and the level is therefore UNKNOWN. */
  isIncomplete: boolean;
  /** The worst level in the other files; null: none. */
  atLeast: StatedLevel | null;
  dates: FileDates;
}

/** The first reading below the level. */
export interface LowerReading {
  level: KnownLevel;
  message: string;
  quote: string | null;
  at: Instant;
  dates: FileDates;
}

/** The status as the next reading finds it. */
export interface StoredStatus extends Status {
  /** The true level, or while that is UNKNOWN the last one that was not: `known` may be an override's. */
  knownTrueLevel: KnownLevel;
  message: string;
  quote: string | null;
  /** Null: never read. */
  checkedAt: Instant | null;
  /** The latest date of each file. */
  fileDates: Readonly<Record<string, Instant>>;
  /** Null: the last known reading was not below the level. */
  lowerReading: LowerReading | null;
}

/** Clocks of Meta's servers differ by this at most. */
const SERVERS_APART_MS = seconds(10);
/** Readings one poll apart end up to so much closer: a read takes longer than the next one. */
const READS_VARY_BY_MS = seconds(1);

/** @param storedAt the latest date of the same file */
export function isOldCopy(date: Instant | null, storedAt: Instant | undefined): boolean {
  return date !== null && storedAt !== undefined && date < storedAt - SERVERS_APART_MS;
}

interface Intervals {
  pollMs: number;
  staleMs: number;
}

/**
 * The status after a reading; null: one of its files is an old copy, and the reading is not used.
 * A level rises with one reading and falls with two.
 */
export function applyReading(
  before: StoredStatus,
  reading: StatusReading,
  now: Instant,
  { pollMs, staleMs }: Intervals,
): StoredStatus | null {
  const { dates } = reading;
  if (Object.entries(dates).some(([path, date]) => isOldCopy(date, before.fileDates[path]))) return null;
  const stands = isStale(before.checkedAt, now, staleMs) ? 'UNKNOWN' : before.trueLevel;
  const { level, ...judged } = judge(before, reading, { now, pollMs, stands });
  return {
    ...nextStatus(before, { trueLevel: level }, now),
    ...judged,
    knownTrueLevel: nextKnownLevel(before.knownTrueLevel, level),
    fileDates: latestDates(before.fileDates, dates),
  };
}

export interface StatusChange {
  after: StoredStatus;
  /** Since when the effective status has its value. */
  since: Instant;
  /** The reconciler has work. */
  isNews: boolean;
  /** The history of what was read and forced goes on. */
  isObserved: boolean;
}

/** What a reading or an override changes; null: the reading is not used. */
export function changeOf(
  before: StoredStatus & { since: Instant | null },
  { reading, directive }: { reading?: StatusReading | undefined; directive?: Directive | null | undefined },
  now: Instant,
  intervals: Intervals,
): StatusChange | null {
  const after =
    reading === undefined
      ? { ...before, ...nextStatus(before, { directive }, now) }
      : applyReading(before, reading, now, intervals);
  if (after === null) return null;
  const isChanged = before.effective !== after.effective;
  return {
    after,
    since: isChanged || before.since === null ? now : before.since,
    // After a gap the reconciler used UNKNOWN instead of the old status, so an equal status counts as a change.
    isNews: isChanged || isStale(before.checkedAt, now, intervals.staleMs),
    isObserved: before.trueLevel !== after.trueLevel || before.directive !== after.directive,
  };
}

/** Whether a page may show what the reading found: not beside another level that stands. */
export function showsReading(
  { level }: StatusReading,
  { before, after }: { before: Status; after: Status },
): boolean {
  return before.trueLevel === 'UNKNOWN' || after.trueLevel !== before.trueLevel || level === after.trueLevel;
}

function latestDates(stored: StoredStatus['fileDates'], dates: FileDates): StoredStatus['fileDates'] {
  const latest = { ...stored };
  for (const [path, date] of Object.entries(dates))
    if (date !== null) latest[path] = Math.max(date, latest[path] ?? date);
  return latest;
}

interface Moment {
  now: Instant;
  pollMs: number;
  /** The level until now; UNKNOWN also if it is too old. */
  stands: Level;
}

type Judged = StatedLevel & Pick<StoredStatus, 'checkedAt' | 'lowerReading'>;

function judge(before: StoredStatus, reading: StatusReading, moment: Moment): Judged {
  const { message } = reading;
  const { now, pollMs, stands } = moment;
  if (reading.isIncomplete) return judgeIncomplete(before, reading, moment);
  if (reading.level === 'UNKNOWN') return { ...unknown(message, now), lowerReading: before.lowerReading };
  const given = { level: reading.level, message, quote: reading.quote };
  if (!isBelow(given.level, before.knownTrueLevel)) return { ...given, checkedAt: now, lowerReading: null };
  const second: LowerReading = { ...given, at: now, dates: reading.dates };
  const first = before.lowerReading;
  if (first === null || !areApart(first, second, pollMs)) {
    const lowerReading = first === null ? second : { ...first, ...statedBy(higherOf(first, second)) };
    if (stands === 'UNKNOWN') return { ...unknown(message, now), lowerReading };
    return { level: stands, message: before.message, quote: before.quote, checkedAt: now, lowerReading };
  }
  const fallen = statedBy(higherOf(first, second));
  const lowerReading = isBelow(second.level, fallen.level) ? second : null;
  return { ...fallen, checkedAt: now, lowerReading };
}

/** A file that cannot be read is no information: until the level is too old, the other files can only raise it. */
function judgeIncomplete(before: StoredStatus, reading: StatusReading, { now, stands }: Moment): Judged {
  const { atLeast, message } = reading;
  const isReset = atLeast !== null && !isBelow(atLeast.level, before.knownTrueLevel);
  const lowerReading = isReset ? null : before.lowerReading;
  if (stands === 'UNKNOWN') return { ...unknown(message, now), lowerReading };
  const isRaised = atLeast !== null && isBelow(stands, atLeast.level);
  const { trueLevel: level, message: former, quote, checkedAt } = before;
  // A level that was only raised keeps the age of the last complete reading.
  return { ...(isRaised ? atLeast : { level, message: former, quote }), checkedAt, lowerReading };
}

function unknown(message: string, now: Instant) {
  return { level: 'UNKNOWN', message, quote: null, checkedAt: now } as const;
}

function isBelow(level: Level, other: Level): boolean {
  return levelNumber(level) < levelNumber(other);
}

function higherOf(first: LowerReading, second: LowerReading): LowerReading {
  return isBelow(second.level, first.level) ? first : second;
}

function statedBy({ level, message, quote }: LowerReading) {
  return { level, message, quote };
}

/** Two answers of Meta, and not one copy that was read twice. */
function areApart(first: LowerReading, second: LowerReading, pollMs: number): boolean {
  const pairs = Object.entries(second.dates).map(([path, date]) => [first.dates[path] ?? null, date]);
  if (pairs.some(([one, other]) => one !== null && one === other)) return false;
  const areDated = pairs.length > 0 && pairs.every((pair) => !pair.includes(null));
  return areDated || second.at - first.at >= pollMs - READS_VARY_BY_MS;
}
