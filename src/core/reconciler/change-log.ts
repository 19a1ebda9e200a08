import type { Instant } from '../time.ts';
import { seconds } from '../time.ts';
import type { ActualStatus, Hold, OutsideChange, Target } from './hold.ts';
import { READ_LAG_MS } from './hold.ts';

/** One entry of the platform's activity log: a change of the campaign's status, which had another one before. */
export interface StatusChange {
  at: Instant;
  /** Made through our app. */
  isOurs: boolean;
  /** Null: the wording is unknown. */
  to: Exclude<ActualStatus, 'AWAY'> | null;
  /** Who made it; absent: the log does not say. */
  by?: Omit<OutsideChange, 'at'>;
}

/** Newest first, by our clock; `unread`: not asked yet; `unreadable`: asked in vain. */
export type ChangeLog = readonly StatusChange[] | 'unread' | 'unreadable';

/** The platform states times in whole seconds, and the difference of the clocks is measured by such times. */
export const LOG_TOLERANCE_MS = seconds(3);
/** How long the log is waited for. After this time every read shows a change as well. */
export const LOG_LAG_MS = READ_LAG_MS;

/** Brings the entries to our clock. @param aheadMs how far the platform's clock is ahead, from its answers */
export function byOurClock(log: readonly StatusChange[], aheadMs: number): StatusChange[] {
  return log.map((change) => ({ ...change, at: change.at - aheadMs }));
}

/** The newest change that is not ours, if it came after the read with which the hold began; null: the log names none. */
export function lastOutside(log: ChangeLog | undefined, { readAt }: Hold): OutsideChange | null {
  const last = typeof log === 'object' ? log.find(({ isOurs }) => !isOurs) : undefined;
  if ((last?.at ?? 0) < readAt - READ_LAG_MS - LOG_TOLERANCE_MS) return null;
  return last === undefined ? null : { at: last.at, tool: null, person: null, ...last.by };
}

/** What became of a write whose copies had no answer. */
export type WriteFate =
  /** The log does not fit the campaign's status: one of them is behind. */
  | { kind: 'unclear' }
  /** Neither the log nor the campaign's status shows a change. Both may be behind. */
  | { kind: 'untouched' }
  /** The last change since the first copy is external. `wasCarriedOut`: an earlier one is ours. */
  | { kind: 'external'; at: Instant; wasCarriedOut: boolean }
  /** A copy of ours came after an external change to this status. */
  | { kind: 'overrode'; at: Instant; status: Target }
  | { kind: 'undisturbed' };

export interface SentWrite {
  target: Target;
  statusBefore: Target;
  firstSentAt: Instant;
}

/**
 * Who made the campaign what it is since the first copy was sent. The order of the entries decides. Times are only
 * used to find the first one, since other clocks are known roughly.
 */
export function fateOf(write: SentWrite, log: readonly StatusChange[], actual: ActualStatus): WriteFate {
  const [last] = log;
  if (last !== undefined && last.to !== null && last.to !== actual) return { kind: 'unclear' };
  const changes = changesSince(write, log);
  const [newest, second] = changes;
  if (newest === undefined) return { kind: actual === write.statusBefore ? 'untouched' : 'unclear' };
  if (!newest.isOurs)
    return { kind: 'external', at: newest.at, wasCarriedOut: changes.some(({ isOurs }) => isOurs) };
  const undone = second?.isOurs === false ? second.to : null;
  const isChangeable = second !== undefined && (undone === 'ACTIVE' || undone === 'PAUSED');
  return isChangeable && undone !== write.target
    ? { kind: 'overrode', at: second.at, status: undone }
    : { kind: 'undisturbed' };
}

/** The entries that are newer than the first copy. Newest first. */
function changesSince(
  { target, statusBefore, firstSentAt }: SentWrite,
  log: readonly StatusChange[],
): StatusChange[] {
  const older = log.findIndex(
    ({ at, isOurs, to }) =>
      at < firstSentAt - LOG_TOLERANCE_MS ||
      // No opposite writes are in flight at once, so an opposite one of ours was sent and carried out earlier.
      (isOurs && to !== null && to !== target),
  );
  const changes = older === -1 ? [...log] : log.slice(0, older);
  // Each entry is a change: the first one cannot lead to what the campaign was already.
  if (changes.at(-1)?.to === statusBefore) changes.pop();
  return changes;
}

/**
 * The newest entry if it is surely a change after our pause. Null: it is our pause, or the log does not tell: an
 * entry may be late or missing, also that of our pause.
 * @param knownAt when a copy of our pause was last known to be carried out
 */
export function changeAfterPause(
  log: readonly StatusChange[],
  { pauseSentAt, readAt, knownAt }: Pick<Hold, 'pauseSentAt' | 'readAt'> & { knownAt: Instant },
  now: Instant,
): StatusChange | null {
  const [last] = log;
  if (last === undefined || (last.isOurs && last.to === 'PAUSED')) return null;
  if (last.at > knownAt + LOG_TOLERANCE_MS) return last;
  // The entry of the last copy may be missing still, which undid this change.
  if (now < knownAt + LOG_LAG_MS) return null;
  const sentAt = pauseSentAt ?? readAt;
  const isOurPause = ({ at, isOurs, to }: StatusChange): boolean =>
    isOurs && to === 'PAUSED' && at >= sentAt - LOG_TOLERANCE_MS;
  return log.some(isOurPause) ? last : null;
}

/**
 * Whether a campaign that we hold was paused by someone else in the end. A missing entry is no information.
 * 'unclear': the log may be behind.
 */
export function wasPausedByOther(
  log: readonly StatusChange[],
  hold: { readAt: Instant; pausedAt: Instant | null },
  now: Instant,
): boolean | 'unclear' {
  const [last] = log;
  if (last === undefined || last.at < hold.readAt - READ_LAG_MS - LOG_TOLERANCE_MS) return false;
  if (last.to !== null && last.to !== 'PAUSED') return 'unclear';
  if (last.isOurs) return false;
  // Our pause or the read that showed it ACTIVE came after it: later entries may be missing.
  const since = hold.pausedAt ?? hold.readAt;
  return last.at < since - LOG_TOLERANCE_MS && now < since + LOG_LAG_MS ? 'unclear' : true;
}
