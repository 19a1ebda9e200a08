import type { Instant } from '../time.ts';
import type { Hold } from './hold.ts';
import { isWatched, lateAgainst, mayArriveUntil } from './hold.ts';
import { meetsThreshold } from './level.ts';
import type { ResumeChoice } from './resume-time.ts';
import { resumeAt } from './resume-time.ts';
import type { Status } from './status.ts';

/** What a hold waits for, as it is told to whoever asks why a campaign is not resumed. */
export const OUTLOOKS = [
  /** The resume is due now. */
  'due',
  'scheduled',
  /** The threshold is met. */
  'matched',
  /** The last known level meets the threshold, and the status is UNKNOWN since. */
  'unknown',
  /** Meta's limit for the ad account is used up. */
  'limited',
  /** Meta takes our token no longer: its person has to log in again. */
  'login',
  /** Meta refuses this person the ad account. */
  'access_lost',
  /** Resumed already, and looked after until no lost write can undo that. */
  'watched',
  /** A hand has set the campaign; what could still undo that is waited for. */
  'given_up',
  /** SmartPause was turned off; it ends when no write is under way any more. */
  'turned_off',
] as const;

export interface Outlook {
  kind: (typeof OUTLOOKS)[number];
  /** When that is, or is over; null: it depends on something else. */
  at: Instant | null;
}

export interface OutlookGiven {
  status: Status;
  owner: ResumeChoice & { leaving: boolean };
  isOn: boolean;
  isTokenUsable: boolean;
  isAccountLost: boolean;
  /** Meta's limit for the ad account. */
  blockedUntil: Instant | null;
  now: Instant;
}

/** When the hold is due to be resumed, or why that is not known yet. It tells what `plan` would do, and decides nothing. */
export function outlookOf(hold: Hold, given: OutlookGiven): Outlook {
  const { status, owner, now } = given;
  if (isWatched(hold)) return { kind: 'watched', at: mayArriveUntil(hold, now) };
  if (hold.givenUp !== null) return { kind: 'given_up', at: lateAgainst(hold) };
  if (!given.isOn) return { kind: 'turned_off', at: mayArriveUntil(hold, now) };
  if (!given.isTokenUsable) return { kind: 'login', at: null };
  if (given.isAccountLost) return { kind: 'access_lost', at: null };
  if (!owner.leaving) {
    if (meetsThreshold(status.known, owner.threshold))
      return { kind: status.effective === 'UNKNOWN' ? 'unknown' : 'matched', at: null };
    const at = resumeAt(status, owner);
    if (at !== null && at > now) return { kind: 'scheduled', at };
  }
  const { blockedUntil } = given;
  if (blockedUntil !== null && blockedUntil > now) return { kind: 'limited', at: blockedUntil };
  return { kind: 'due', at: hold.retryAt !== null && hold.retryAt > now ? hold.retryAt : null };
}
