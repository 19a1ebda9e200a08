import type { Instant } from '../time.ts';
import type { Hold } from './hold.ts';
import { expiryOf, isTest } from './hold.ts';
import { meetsThreshold } from './level.ts';
import type { ResumeChoice } from './resume-time.ts';
import { resumeAt } from './resume-time.ts';
import type { Status } from './status.ts';

/** What a hold waits for: the reason why a campaign is not resumed yet. */
export const OUTLOOKS = [
  /** The resume is due now. */
  'due',
  'scheduled',
  /** The threshold is met. */
  'matched',
  /** The last known level meets the threshold, and the status has been UNKNOWN since. */
  'unknown',
  /** The ad account's rate limit at Meta is used up. */
  'limited',
  /** Meta rejects the token: the user has to log in again. */
  'login',
  /** Meta refuses this user access to the ad account. */
  'access_lost',
  /** Resumed or released already; a copy of our write may still arrive. */
  'verifying',
  /** A late copy of our write undid an external change, which is being restored. */
  'restoring',
  /** SmartPause was turned off; the hold ends when no copy of our write can arrive. */
  'turned_off',
] as const;

export interface Outlook {
  kind: (typeof OUTLOOKS)[number];
  /** When that happens or ends; null: it depends on something else. */
  at: Instant | null;
}

export interface OutlookGiven {
  status: Status;
  owner: ResumeChoice & { leaving: boolean };
  isOn: boolean;
  isTokenUsable: boolean;
  isAccountLost: boolean;
  /** Meta's rate limit for the ad account ends then. */
  blockedUntil: Instant | null;
  now: Instant;
}

/** Predicts what `plan` would do with the hold. Decides nothing. */
export function outlookOf(hold: Hold, given: OutlookGiven): Outlook {
  const { status, owner, now } = given;
  const expiry = expiryOf(hold);
  const arrivesUntil = expiry !== null && expiry > now ? expiry : null;
  if (hold.state === 'resumed' || (hold.release !== null && hold.state === 'paused'))
    return { kind: 'verifying', at: arrivesUntil };
  if (hold.release !== null) return { kind: 'restoring', at: arrivesUntil };
  if (!given.isOn && !isTest(hold)) return { kind: 'turned_off', at: arrivesUntil };
  if (!given.isTokenUsable) return { kind: 'login', at: null };
  if (given.isAccountLost) return { kind: 'access_lost', at: null };
  if (hold.testUntil !== null) {
    if (hold.testUntil > now && !owner.leaving) return { kind: 'scheduled', at: hold.testUntil };
  } else if (!owner.leaving) {
    if (meetsThreshold(status.known, owner.threshold))
      return { kind: status.effective === 'UNKNOWN' ? 'unknown' : 'matched', at: null };
    const at = resumeAt(status, owner);
    if (at !== null && at > now) return { kind: 'scheduled', at };
  }
  const { blockedUntil } = given;
  if (blockedUntil !== null && blockedUntil > now) return { kind: 'limited', at: blockedUntil };
  return { kind: 'due', at: hold.retryAt !== null && hold.retryAt > now ? hold.retryAt : null };
}
