import type { Threshold } from './smartpause/level.ts';
import { meetsThreshold } from './smartpause/level.ts';
import type { LetGoReason } from './smartpause/hold.ts';
import type { Outage } from './smartpause/outage.ts';
import type { Status } from './smartpause/status.ts';
import { currentStatus } from './smartpause/status.ts';
import type { Instant } from './time.ts';
import { days, minutes, seconds } from './time.ts';

/** Everything that a person is written about. */
export const MAIL_KINDS = [
  'paused',
  'resumed',
  'disabled',
  'unknown',
  'token_stale',
  'token_expired',
  'account_lost',
  'welcome',
  'trial_ending',
  'payment_failed',
  'subscription_ended',
  'deauthorized',
  'deleted',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What a person did themselves needs no mail: they know. */
const OWN_ACTS: readonly (LetGoReason | null)[] = ['smartpause_off', 'manual_pause'];

/** Which mail tells of an act of SmartPause; null: none does. Acts of one kind that come together share one. */
export function mailThatTells(event: string, reason: string | null): MailKind | null {
  switch (event) {
    case 'paused':
      return 'paused';
    case 'resumed':
      return 'resumed';
    case 'let_go':
      return OWN_ACTS.some((own) => own === reason) ? null : 'resumed';
    case 'deactivated':
      return 'disabled';
    default:
      return null;
  }
}

/** How long a mail waits for further acts of its kind, so that one mail tells of all of them. */
export const SETTLE_MS = seconds(10);
/** While acts of its kind are on the way it waits longer: a first mail this long, a later one that long. */
const LONGEST_WAIT_MS = minutes(2);
const LONGEST_LATER_WAIT_MS = minutes(15);

/** When a mail that is still being written may be looked at again; null: it goes now. */
export function waitForMore(
  mail: { openedAt: Instant; unfinished: number; isFollowUp: boolean },
  now: Instant,
): Instant | null {
  const longest = mail.isFollowUp ? LONGEST_LATER_WAIT_MS : LONGEST_WAIT_MS;
  if (mail.unfinished === 0 || now >= mail.openedAt + longest) return null;
  return now + SETTLE_MS;
}

/** The last stretch of an outage in which a threshold was met; `to` is null while it still is. */
export function lastMatch(
  outage: Outage,
  threshold: Threshold,
): { from: Instant; to: Instant | null } | null {
  const isMet = outage.levels.map(({ level }) => meetsThreshold(level, threshold));
  const last = isMet.lastIndexOf(true);
  if (last === -1) return null;
  const first = isMet.lastIndexOf(false, last) + 1;
  const from = outage.levels[first]?.at;
  return from === undefined ? null : { from, to: outage.levels[last + 1]?.at ?? null };
}

/** An email counts campaigns, not acts: each campaign once, with its last act. Acts come oldest first, and stay so. */
export function lastActs<T extends { campaignId: string }>(acts: readonly T[]): T[] {
  const last = new Map(acts.map((act) => [act.campaignId, act]));
  return acts.filter((act) => last.get(act.campaignId) === act);
}

/** The status must have been UNKNOWN for this long before the users whose campaigns stay paused get an email. */
const LONG_UNKNOWN_MS = minutes(60);

interface DatedStatus extends Status {
  /** Null: never read. */
  checkedAt: Instant | null;
  /** Since when the effective status is what it is. */
  since: Instant | null;
}

/** Since when the status is UNKNOWN, if it is: a stale status is UNKNOWN since it was last read. */
export function unknownSince({ effective, since, checkedAt }: DatedStatus): Instant | null {
  return effective === 'UNKNOWN' ? since : checkedAt;
}

/**
 * Since when the status is UNKNOWN, once that is an hour; null before that, and while the status is known.
 * @param startedAt of this process: a status that was not read before that says nothing about the status page
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

const FIRST_RETRY_MS = seconds(5);
const LONGEST_RETRY_MS = minutes(30);
/** A refusal for good may be a mail server that is set up wrongly, so it is not believed at once. */
const GIVE_UP_MS = { refused: days(1), other: days(5) };

/**
 * When a mail that could not be sent is tried again; null: it is given up.
 * @param attempts how many tries have failed
 * @param roll uniform in [0, 1)
 */
export function nextTryAt(
  mail: { createdAt: Instant; attempts: number; isRefused: boolean; roll: number },
  now: Instant,
): Instant | null {
  const patience = mail.isRefused ? GIVE_UP_MS.refused : GIVE_UP_MS.other;
  if (now - mail.createdAt >= patience) return null;
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(mail.attempts - 1, 20));
  return now + Math.ceil(ceiling * (0.5 + mail.roll / 2));
}
