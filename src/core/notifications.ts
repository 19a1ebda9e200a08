import type { Hold } from './reconciler/hold.ts';
import type { Status } from './smartpause/status.ts';
import { currentStatus } from './smartpause/status.ts';
import type { Instant } from './time.ts';
import { days, hours, minutes, seconds } from './time.ts';

/** Which event is reported by which: events.ts. */
export type NotificationKind =
  | 'paused'
  | 'resumed'
  | 'disabled'
  | 'live_test'
  | 'unknown'
  | 'early_warning'
  | 'reminder'
  | 'monthly_summary'
  | 'token_stale'
  | 'token_expired'
  | 'account_lost'
  | 'account_blocked'
  | 'destination_disabled'
  | 'address_refused'
  | 'deauthorized'
  | 'deleted';

/** The last notification to a user who leaves. */
export function isFarewell(kind: NotificationKind): boolean {
  return kind === 'deauthorized' || kind === 'deleted';
}

/** A notification that reports no event: its user asks for it, it is about such a request, or it only ends incidents. */
export type AskedKind = 'confirm_address' | 'address_changed' | 'incident_over';

/** A notification waits this long for further activities of its kind. */
export const SETTLE_MS = seconds(10);
/** The longest wait while activities of its kind are in progress: of a first notification, and of a follow-up. */
const LONGEST_WAIT_MS = minutes(2);
const LONGEST_LATER_WAIT_MS = minutes(15);
/** A notification of the same kind within this time makes the next one a follow-up. */
const FOLLOW_UP_MS = minutes(60);

/** Whether a notification is written now. */
export function isDue(
  owed: {
    /** When its first activity happened. */
    since: Instant;
    /** When the last notification of the kind was written; null: never. */
    lastAt: Instant | null;
    /** An activity of its kind is in progress. */
    isUnfinished: boolean;
    /** It reports a refusal of Meta, which its user can act on. */
    hasRefusal: boolean;
  },
  now: Instant,
): boolean {
  const { since, lastAt, isUnfinished, hasRefusal } = owed;
  const isFollowUp = lastAt !== null && lastAt >= since - FOLLOW_UP_MS;
  const waits = [SETTLE_MS, LONGEST_WAIT_MS, LONGEST_LATER_WAIT_MS] as const;
  // A refusal is reported one step sooner: at once, and then grouped with further ones.
  const longest = isFollowUp ? waits[hasRefusal ? 1 : 2] : waits[hasRefusal ? 0 : 1];
  return now >= since + (isUnfinished ? longest : SETTLE_MS);
}

/** Whether a pause or resume of the kind is decided and not done yet for this live hold. */
export function isUnfinished<H extends Pick<Hold, 'state' | 'testUntil'>>(
  kind: NotificationKind,
  hold: H,
  isResumeDue: (hold: H) => boolean,
): boolean {
  const { state } = hold;
  if (hold.testUntil !== null) return kind === 'live_test';
  if (kind === 'paused') return state === 'pausing';
  return kind === 'resumed' && (state === 'resuming' || (state === 'paused' && isResumeDue(hold)));
}

/**
 * The last activity of each campaign, because an email counts campaigns. Input and output are oldest first.
 */
export function lastActivities<T extends { campaignId: string }>(acts: readonly T[]): T[] {
  const last = new Map(acts.map((act) => [act.campaignId, act]));
  return acts.filter((act) => last.get(act.campaignId) === act);
}

/** A resume that is due so long while Meta refuses our app is reported: a shorter stop passes unnoticed. */
export const HELD_UP_MS = minutes(1);

/** Users whose campaigns stay paused are reminded after this time, then daily. */
export const REMINDER_MS = hours(6);

/**
 * When a user is reminded next of the campaigns of an outage.
 * @param given.since when the first of them was paused that still are
 * @param given.lastAt the last reminder; null: none
 */
export function reminderDueAt({ since, lastAt }: { since: Instant; lastAt: Instant | null }): Instant {
  return lastAt === null || lastAt < since ? since + REMINDER_MS : lastAt + days(1);
}

/** Users with paused campaigns get an email after the status was UNKNOWN for this long. */
const LONG_UNKNOWN_MS = minutes(60);

interface DatedStatus extends Status {
  /** Null: never read. */
  checkedAt: Instant | null;
  /** Since when the effective status has its current value. */
  since: Instant | null;
}

/** Since when the status is UNKNOWN, if it is: a stale status is UNKNOWN since it was last read. */
export function unknownSince({ effective, since, checkedAt }: DatedStatus): Instant | null {
  return effective === 'UNKNOWN' ? since : checkedAt;
}

/**
 * Since when the status is UNKNOWN, once that is an hour; null before that and while the status is known.
 * @param startedAt start of this process; a status that became stale earlier says nothing about the status
 * page
 */
export function longUnknownSince(
  status: DatedStatus,
  { startedAt, staleMs }: { startedAt: Instant; staleMs: number },
  now: Instant,
): Instant | null {
  if (currentStatus(status, now, staleMs).effective !== 'UNKNOWN') return null;
  const since = unknownSince(status);
  const from = status.effective === 'UNKNOWN' ? since : Math.max(since ?? 0, startedAt);
  return from !== null && now - from >= LONG_UNKNOWN_MS ? since : null;
}
