import type { Instant } from '../time.ts';
import { minutes, seconds } from '../time.ts';

/** The configured status of a campaign; GONE: the platform reports that it does not exist. */
export const LIVE_STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED', 'GONE'] as const;
export type LiveStatus = (typeof LIVE_STATUSES)[number];

export const HOLD_STATES = ['pausing', 'paused', 'resuming', 'resumed'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/**
 * The record that SmartPause paused one campaign, from the intent to pause until its end.
 *
 * One direction at a time: while a copy of a write has no response and can still arrive, only the same write is
 * repeated. The opposite one waits.
 */
export interface Hold {
  id: string;
  campaignId: string;
  /** `pausing`, `resuming`: the write is not confirmed. `paused`, `resumed`: it is. */
  state: HoldState;
  /** When the last copy of this write without a response was sent; null: no copy can arrive. */
  sentAt: Instant | null;
  /** The next write must wait until then. */
  retryAt: Instant | null;
  /** How often in succession Meta refused this write for good. */
  refusals: number;
  /** First read of a status that is not ours. A verification read must follow, because reads can be stale. */
  suspicion: { status: LiveStatus; since: Instant } | null;
  /** When the pause was first confirmed; null: not yet. */
  pausedAt: Instant | null;
  /** Since when the campaign is no longer held, although a copy of a write can still arrive. */
  resumedAt: Instant | null;
  /**
   * The hold ends with this reason as soon as no copy can arrive. `pausing` and `resuming` then mean that a late
   * copy undid an external change, which is restored first.
   */
  release: ReleaseReason | null;
  /** SmartPause was turned off during the hold. Turned on again, it keeps a paused campaign, not a running one. */
  turnedOff: boolean;
  /** A live test, which is resumed then whatever the setting is; null: the pause is for an outage. */
  testUntil: Instant | null;
}

export const RELEASE_REASONS = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'not_needed',
  'paused_outside',
  'already_active',
  'resumed_outside',
  'archived',
  'deleted',
  'access_lost',
  'ended',
  'pause_refused',
  'resume_refused',
] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

/** A write that Meta refuses for good is tried this often, at this interval. */
export const REFUSED_TRIES = 2;
export const REFUSED_RETRY_MS = minutes(1);
/** Minimum interval between the two reads that confirm an external change. */
export const VERIFICATION_READ_MS = seconds(10);
/** A write is sent within this time after `sentAt` was stored, or not at all: after a crash only that is known. */
export const SEND_WITHIN_MS = seconds(5);
/** A write without a response may be carried out until then: Meta may take a minute. */
export const LATE_WRITE_MS = SEND_WITHIN_MS + seconds(60);

export type UnconfirmedWrite = 'pausing' | 'resuming';

export type HoldEnd =
  | { outcome: 'resumed' }
  | {
      outcome: 'released';
      reason: ReleaseReason;
      /** Our write whose result can no longer be read; null: there is none. */
      unconfirmedWrite: UnconfirmedWrite | null;
    };

/** What the activity log tells the advertiser. */
export type Report = 'paused' | 'resumed' | 'restored' | 'released' | 'deactivated' | 'refused';

/** A live test of one campaign: it ends by the clock, and counts as no pause for an outage. */
export function isTest({ testUntil }: Pick<Hold, 'testUntil'>): boolean {
  return testUntil !== null;
}

/** The write that this hold is about. */
export function writtenStatus({ state }: Pick<Hold, 'state'>): 'ACTIVE' | 'PAUSED' {
  return state === 'resuming' || state === 'resumed' ? 'ACTIVE' : 'PAUSED';
}

/** Meta has refused the write for good as often as it is tried. */
export function isRefused({ refusals }: Pick<Hold, 'refusals'>): boolean {
  return refusals >= REFUSED_TRIES;
}

/** Until when a copy of the write can still arrive; null: none was left without a response. */
export function expiryOf({ sentAt }: Pick<Hold, 'sentAt'>): Instant | null {
  return sentAt === null ? null : sentAt + LATE_WRITE_MS;
}

/** The write that is not confirmed; null: none. */
export function unconfirmedWriteOf({
  state,
  sentAt,
}: Pick<Hold, 'state' | 'sentAt'>): UnconfirmedWrite | null {
  return sentAt !== null && (state === 'pausing' || state === 'resuming') ? state : null;
}

/**
 * The hold after the user's own pause or resume. It stays until no copy of its write can arrive, so that no
 * opposite write is sent. A manual change waits for the expiry of an opposite write.
 */
export function afterManualChange(
  hold: Hold,
  reason: ReleaseReason,
  now: Instant,
): { hold: Hold; end: HoldEnd | null } {
  const isOver = (expiryOf(hold) ?? 0) <= now;
  // A resume stands and was reported.
  const end: HoldEnd =
    hold.state === 'resumed'
      ? { outcome: 'resumed' }
      : { outcome: 'released', reason, unconfirmedWrite: null };
  const state = writtenStatus(hold) === 'PAUSED' ? 'paused' : 'resumed';
  const over = { resumedAt: hold.resumedAt ?? now, release: reason, retryAt: null, suspicion: null };
  return { hold: { ...hold, ...over, state }, end: isOver ? end : null };
}

export function sent(hold: Hold, state: UnconfirmedWrite, now: Instant): Hold {
  // A write of the hold needs SmartPause on; restoring an external change does not.
  const turnedOff = hold.release !== null && hold.turnedOff;
  return { ...hold, state, sentAt: now, retryAt: null, suspicion: null, turnedOff };
}

export function confirmed(hold: Hold, now: Instant): Hold {
  const settled = { ...hold, retryAt: null, refusals: 0, suspicion: null };
  return hold.state === 'pausing'
    ? { ...settled, state: 'paused', pausedAt: hold.pausedAt ?? now }
    : { ...settled, state: 'resumed', resumedAt: now };
}

export interface AfterWrite {
  hold: Hold;
  end: HoldEnd | null;
  report: Report;
}

/**
 * The hold after the platform reported that it carried out our write.
 * @param earlierAt when an earlier copy without a response was sent; null: there is none
 */
export function afterWriteDone(hold: Hold, earlierAt: Instant | null, now: Instant): AfterWrite {
  const left = earlierAt !== null && earlierAt + LATE_WRITE_MS > now ? earlierAt : null;
  if (hold.release !== null) {
    const end = { outcome: 'released', reason: hold.release, unconfirmedWrite: null } as const;
    return { hold: { ...hold, sentAt: left }, end, report: 'restored' };
  }
  const next = { ...confirmed(hold, now), sentAt: left };
  if (next.state === 'paused') return { hold: next, end: null, report: 'paused' };
  return { hold: next, end: left === null ? { outcome: 'resumed' } : null, report: 'resumed' };
}
