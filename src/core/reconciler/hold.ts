import type { StoredFailure } from '../platform.ts';
import { NO_FAILURE } from '../platform.ts';
import type { KnownLevel, Threshold } from '../smartpause/level.ts';
import type { Cause } from '../smartpause/signals.ts';
import type { Instant } from '../time.ts';
import { hours, minutes, seconds } from '../time.ts';

/** What a campaign can be set to. */
export type Target = 'ACTIVE' | 'PAUSED';

/** The configured status as read. AWAY: the ad account can be read, and the campaign is not in it. */
export type ActualStatus = Target | 'ARCHIVED' | 'DELETED' | 'AWAY';

export const HOLD_STATES = ['pausing', 'paused', 'resuming', 'cancelling', 'ended'] as const;

/** SmartPause paused one campaign for a user, and owes its resume. At most one is live for a campaign. */
export interface Hold extends StoredFailure {
  userId: string;
  /** `cancelling`: the pause is no longer wanted, and must be undone if it is or was carried out. */
  state: (typeof HOLD_STATES)[number];
  /** The user's threshold when the hold began: an edit applies to new holds. */
  threshold: Threshold;
  level: KnownLevel;
  /** Why it began for this user; a live test has 'status'. */
  cause: Cause;
  /** The level was an override of an admin. */
  isOverride: boolean;
  /** When it was decided for this user. */
  decidedAt: Instant;
  /** When the read began that showed the campaign ACTIVE. */
  readAt: Instant;
  /** When the first pause and the first resume were sent. */
  pauseSentAt: Instant | null;
  resumeSentAt: Instant | null;
  /** When the pause was first known to be carried out; null: not yet. */
  pausedAt: Instant | null;
  /** A live test, which is resumed then whatever the setting is; null: the pause is for an outage. */
  testUntil: Instant | null;
  /** It began as a live test, also if an outage has kept it. */
  beganAsTest: boolean;
  /** First read of a status that is not ours. More reads follow, because a read can be behind. */
  surprise: { status: ActualStatus; since: Instant } | null;
  /** Its resume is due and waits for the hours in which another tool has the campaign on; null: it does not. */
  postponedUntil: Instant | null;
  /** A user has asked for the resume during the match. It ends the hold for all users; null: not asked for. */
  resumeAsked: { by: string; at: Instant } | null;
  /** Of its last write. */
  refusal: string | null;
  outcome: 'resumed' | 'released' | 'not_needed' | null;
  /** Only of a released hold. */
  releaseReason: ReleaseReason | null;
  /** The external change that ended it, as Meta's log names it; null: none, or the log does not say. */
  outside: OutsideChange | null;
}

/** A change that was made outside SmartPause, or with it by another user. */
export interface OutsideChange {
  at: Instant;
  /** `ADS_MANAGER`, `OURS`, or another app by its name; null: not named. */
  tool: string | null;
  person: string | null;
}

export const ADS_MANAGER = 'Ads Manager';
export const OURS = 'SmartPause';

export const RELEASE_REASONS = [
  'smartpause_off',
  'manual_pause',
  'paused_by_other',
  'paused_outside',
  'already_active',
  'resumed_outside',
  'resumed_by_schedule',
  'resumed_now',
  'resumed_by_other',
  'archived',
  'deleted',
  'access_lost',
  'ended',
  'pause_refused',
  'resume_refused',
] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

/** SmartPause stays on, and no hold of any user begins before that user's match has ended. */
export const RESUMED_FOR_ALL = ['resumed_by_schedule', 'resumed_now', 'resumed_by_other'] as const;

/** What a user asks for with the buttons of SmartPause. */
export interface Wish {
  userId: string;
  status: Target;
  requestedAt: Instant;
}

/** Why a manual pause or resume was not carried out. */
export type WishFailure = 'busy' | 'token' | 'blocked' | 'smartpause_active' | 'refused' | 'unconfirmed';

/** The last write of a campaign. It outlives its hold, so that each copy is followed until it can no longer arrive. */
export interface CampaignWrite extends StoredFailure {
  /** `restore`: a late copy of ours undid an external change, which is written again. */
  origin: 'hold' | 'test' | 'manual' | 'restore';
  requestedBy: string;
  requestedAt: Instant;
  /** What was sent, or is to be sent. */
  target: Target;
  /** `cancelled`: not wanted any more, but a copy may still arrive. */
  state: 'open' | 'done' | 'cancelled' | 'failed';
  /** What the campaign was when the first copy was sent. */
  statusBefore: Target;
  /** Of the copies whose fate is unknown; null: none was sent, or the fate of all is known. */
  firstSentAt: Instant | null;
  /** A copy without an answer may arrive until then; null: none can, and none has arrived unseen. */
  unansweredUntil: Instant | null;
  /** After that: since when the activity log does not fit the campaign's status. */
  unclearSince: Instant | null;
  retryAt: Instant | null;
  /** When it was due before its user asked for a try; null: the user did not. */
  plannedRetryAt: Instant | null;
  /** How often in succession the platform refused it. */
  refusals: number;
  /** The last ones of these that were for a final reason. */
  finalRefusals: number;
  /** Consecutive failures, for the time of the next try. */
  failures: number;
  /** The platform's own words when it last refused the write; null: it did not. */
  refusal: string | null;
  /** The last status that is known to have been written by us. */
  confirmed: { status: Target; at: Instant } | null;
  /** A manual pause or resume that waits until no copy of the opposite can arrive. */
  wanted: Wish | null;
}

/** Of a write that was never tried. */
export const UNTRIED = {
  ...{ retryAt: null, plannedRetryAt: null, refusals: 0, finalRefusals: 0, failures: 0, refusal: null },
  ...NO_FAILURE,
} as const;

/** A write is sent within this time after it was decided, however long storing the intent takes, or not at all. */
export const SEND_WITHIN_MS = seconds(5);
/** A copy without an answer may be carried out until then: the platform may take a minute. */
export const LATE_WRITE_MS = SEND_WITHIN_MS + seconds(60);
/** A read usually shows what was true this long before it began. Also the time between two reads of a surprise. */
export const STALE_READ_MS = seconds(10);
/** No read of a lagging replica is further behind. */
export const READ_LAG_MS = seconds(90);
/** A confirmed write matters to reads this long: no pass reads for longer than five minutes. */
export const CONFIRMED_COUNTS_MS = READ_LAG_MS + minutes(5);
/** A campaign that stays away for this long counts as deleted. */
export const AWAY_MS = hours(3);
/** A request with a wish is answered after this time, whatever its result. */
export const RESULT_TIMEOUT_MS = seconds(25);
/** A wish is not carried out long after the click. */
export const WISH_MS = minutes(2);
/** One of a change of many, which is shown until it is done: an ad account takes 50 in a call, and has limits. */
export const WISH_OF_MANY_MS = hours(1);

/** An external change that a late copy undid is written again within this time. */
export const RESTORE_MS = hours(1);

export function isLive(hold: Hold | null): hold is Hold {
  return hold !== null && hold.state !== 'ended';
}

export function isTest(hold: Hold): boolean {
  return hold.testUntil !== null;
}

/**
 * Who turns SmartPause off decides about a pause that is known then, which stays. An unconfirmed one was not their
 * question: it is undone, or passes to another user.
 * @param turnedOffAt null: the user never turned it on or off
 */
export function hasDecidedToKeep({ pausedAt }: Hold, turnedOffAt: Instant | null): boolean {
  return pausedAt !== null && (turnedOffAt ?? Infinity) >= pausedAt;
}
