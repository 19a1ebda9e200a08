import type { PlatformCampaign } from '../platform.ts';
import { NO_FAILURE } from '../platform.ts';
import type { DeliveryTimes, SmartPauseSetting } from '../campaign.ts';
import type { Threshold } from '../smartpause/level.ts';
import { meetsThreshold } from '../smartpause/level.ts';
import type { OtherSchedule } from '../smartpause/other-schedule.ts';
import type { ResumeSettings } from '../settings.ts';
import { holdResumeAt, isOfWordAlone } from '../smartpause/resume-time.ts';
import type { Cause, Signal } from '../smartpause/signals.ts';
import { besideWord, isOn as isActing, statusFor, wordOf } from '../smartpause/signals.ts';
import type { Status } from '../smartpause/status.ts';
import type { Instant } from '../time.ts';
import type { ChangeLog } from './change-log.ts';
import type { ActualStatus, CampaignWrite, Hold } from './hold.ts';
import type { RefusedResume } from './refusals.ts';

/** The user's SmartPause setting of a campaign, and since when. */
export interface SettingSince {
  setting: SmartPauseSetting;
  changedAt: Instant;
}

export interface LeftAlone {
  since: Instant;
  why: 'pause_refused' | 'resumed_by_schedule' | 'resumed_now';
}

/** A user with SmartPause on in the ad account, a live hold there, or a manual change. */
export interface WorldUser {
  id: string;
  threshold: Threshold;
  resume: ResumeSettings;
  /** Active subscription and completed setup: conditions for a new hold, never for ending one. */
  mayHold: boolean;
  /** The platform accepts the user's token and lets them into the ad account. */
  hasAccess: boolean;
  /** All holds of the user are resumed at once, and no new one begins. */
  isLeaving: boolean;
  /** The platform refuses writes of this user here until then, such as until they confirm the account. */
  writesBlockedUntil: Instant | null;
  settings: ReadonlyMap<string, SettingSince>;
  /** Campaigns whose last hold ended so, after SmartPause was turned on: no other begins in the same match. */
  leftAlone: ReadonlyMap<string, LeftAlone>;
  /** Campaigns that the user asks to resume, and whose resume Meta once refused for good. */
  refusedResumes: ReadonlyMap<string, RefusedResume>;
  /** Those that act for the user, beside the status page: on, or ended in the match that lasts. */
  signals: readonly Signal[];
}

/** What is stored about a user in the ad account. */
export interface UserInAccount extends Pick<
  WorldUser,
  'writesBlockedUntil' | 'settings' | 'leftAlone' | 'refusedResumes' | 'signals'
> {
  user: {
    id: string;
    threshold: Threshold;
    resumeSettings: ResumeSettings;
    initializedAt: Instant | null;
    leaving: string | null;
  };
  isSubscribed: boolean;
}

export function worldUserOf({ user, isSubscribed, ...facts }: UserInAccount, hasAccess: boolean): WorldUser {
  const { writesBlockedUntil, settings, leftAlone, refusedResumes, signals } = facts;
  return {
    ...{ id: user.id, threshold: user.threshold, resume: user.resumeSettings, hasAccess },
    mayHold: user.initializedAt !== null && isSubscribed,
    isLeaving: user.leaving !== null,
    ...{ writesBlockedUntil, settings, leftAlone, refusedResumes, signals },
  };
}

export interface LiveCampaign extends DeliveryTimes {
  id: string;
  status: ActualStatus;
  /** Per day, in the minor unit of the account's currency; null: the budget is kept elsewhere. */
  dailyBudget: number | null;
  /** The platform's API refuses changes, so the campaign gets no new hold. */
  isLegacyAdvantage?: boolean;
}

const LISTED: readonly ActualStatus[] = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'];

/** A listed campaign as the core sees it. One with an unknown status is left out: no information. */
export function toLive(campaign: PlatformCampaign): LiveCampaign[] {
  const { id, dailyBudget, isLegacyAdvantage, startTime, stopTime } = campaign;
  const status = LISTED.find((one) => one === campaign.status);
  return status === undefined ? [] : [{ id, status, dailyBudget, isLegacyAdvantage, startTime, stopTime }];
}

/** Everything that decides what happens in one ad account. */
export interface World {
  /** Of the status page; `viewOf` is what counts for a user. */
  status: Status;
  /** Always in the same order: of two users who could hold a campaign, the first one does. */
  users: readonly WorldUser[];
  /** As just read. A campaign that could not be read is absent. Null: no user can read the account. */
  campaigns: readonly LiveCampaign[] | null;
  /** When the read began. */
  readAt: Instant;
  /** As the platform names it, such as 'Europe/Berlin'; null: not known. */
  timeZone: string | null;
  /** Live holds, by campaign. */
  holds: ReadonlyMap<string, Hold>;
  /** Writes that are open, unanswered, wanted or just confirmed, and the last one of a held campaign; by campaign. */
  writes: ReadonlyMap<string, CampaignWrite>;
  /** Campaigns whose manual change is one of many, which no request waits for. */
  ofMany: ReadonlySet<string>;
  /** Users of whom the platform has just accepted a write. */
  accepted: ReadonlySet<string>;
  /** The hours in which another tool has a campaign off. */
  schedules: ReadonlyMap<string, OtherSchedule>;
  /** Of a campaign, by our clock. */
  logOf: (campaignId: string) => ChangeLog;
}

export function settingOf(user: WorldUser, campaignId: string): SmartPauseSetting {
  return user.settings.get(campaignId)?.setting ?? 'OFF';
}

export function isOn(user: WorldUser | undefined, campaignId: string): boolean {
  return user !== undefined && settingOf(user, campaignId) === 'ON';
}

export function userOf({ users }: Pick<World, 'users'>, userId: string): WorldUser | undefined {
  return users.find(({ id }) => id === userId);
}

export function viewOf(
  { status }: Pick<World, 'status'>,
  { signals }: Pick<WorldUser, 'signals'>,
  now: Instant,
): Status {
  return statusFor(status, signals, now);
}

/** The user has a match, and everything else that a new hold needs besides the campaign. */
export function wantsPauses(
  world: Pick<World, 'status'>,
  user: WorldUser,
  now: Instant,
  threshold: Threshold = user.threshold,
): boolean {
  const { known } = viewOf(world, user, now);
  return meetsThreshold(known, threshold) && user.mayHold && user.hasAccess && !user.isLeaving;
}

type Matched = Pick<WorldUser, 'threshold' | 'signals' | 'leftAlone'>;

/** Why the user's match that lasts begins no hold of the campaign again; null: it may begin one. */
export function leftAloneWhy(
  world: Pick<World, 'status'>,
  user: Matched,
  campaignId: string,
  now: Instant,
): LeftAlone['why'] | null {
  const matchSince = viewOf(world, user, now).matchSince[user.threshold];
  const left = user.leftAlone.get(campaignId);
  return matchSince !== null && left !== undefined && left.since >= matchSince ? left.why : null;
}

/** In the user's match that lasts, the campaign was resumed with SmartPause on: it keeps running for this user. */
export function hasResumed(
  world: Pick<World, 'status'>,
  user: Matched,
  campaignId: string,
  now: Instant,
): boolean {
  const why = leftAloneWhy(world, user, campaignId, now);
  return why !== null && why !== 'pause_refused';
}

/** The same in the match that lasts without the user's own word. */
function hasResumedBesideWord(
  world: Pick<World, 'status'>,
  user: Matched,
  campaignId: string,
  now: Instant,
): boolean {
  return hasResumed(world, { ...user, signals: besideWord(user.signals) }, campaignId, now);
}

/** The platform refuses writes of the user here now. */
export function isBlocked({ writesBlockedUntil }: WorldUser, now: Instant): boolean {
  return (writesBlockedUntil ?? 0) > now;
}

/** UNKNOWN starts no pause, but one that began is finished. */
export function mayStart(status: Status): boolean {
  return status.effective !== 'UNKNOWN';
}

/** When the hold may be resumed; null: no resume is scheduled. */
export function resumeTimeOf(
  world: World,
  user: WorldUser,
  { campaignId, hold }: { campaignId: string; hold: Hold },
  now: Instant,
): Instant | null {
  if (user.isLeaving || hold.resumeAsked !== null) return now;
  if (hold.testUntil !== null) return hold.testUntil;
  const isWanted = wordOf(user.signals, now) !== null && !hasResumed(world, user, campaignId, now);
  const isLeftAlone = hasResumedBesideWord(world, user, campaignId, now);
  const { status, timeZone } = world;
  return holdResumeAt(
    status,
    { ...hold, signals: user.signals, resume: user.resume, timeZone, isWanted, isLeftAlone },
    now,
  );
}

/** What ends, so that the campaign is resumed; null: a disruption on the page. */
export function endingCause(
  world: Pick<World, 'status'>,
  user: Matched,
  { campaignId, hold }: { campaignId: string; hold: Hold },
  now: Instant,
): Exclude<Cause, 'status'> | null {
  const isLeftAlone = hasResumedBesideWord(world, user, campaignId, now);
  const view = statusFor(world.status, besideWord(user.signals), now);
  if (isOfWordAlone(view, { ...hold, isLeftAlone })) return 'user';
  const pageEndedAt = world.status.matchSince[hold.threshold] ?? 0;
  return hold.cause !== 'status' && pageEndedAt < hold.decidedAt ? 'early_warning' : null;
}

/** For whom and why the campaign is paused. */
export function causeOf(
  { status }: Pick<World, 'status'>,
  { id: userId, threshold, signals = [], isLeftAlone = false }: Holding,
  now: Instant,
) {
  const isOfPage = meetsThreshold(status.known, threshold) && mayStart(status) && !isLeftAlone;
  const acting = isOfPage ? [] : signals.filter((one) => isActing(one, now));
  const cause: Cause = acting.length === 0 ? 'status' : wordOf(acting, now) ? 'user' : 'early_warning';
  const isOverride = cause === 'status' && status.directive !== null;
  return { userId, threshold, level: status.known, isOverride, cause, decidedAt: now };
}

type Holding = Pick<WorldUser, 'id' | 'threshold'> &
  Partial<Pick<WorldUser, 'signals'>> & {
    /** The campaign was resumed in the match without the user's own word, which pauses it again. */
    isLeftAlone?: boolean;
  };

export function holdingOf(
  world: Pick<World, 'status'>,
  user: WorldUser,
  campaignId: string,
  now: Instant,
): Holding {
  const { id, threshold, signals } = user;
  return { id, threshold, signals, isLeftAlone: hasResumedBesideWord(world, user, campaignId, now) };
}

export function newHold(
  world: Pick<World, 'status' | 'readAt'>,
  user: Holding,
  now: Instant,
  testUntil: Instant | null = null,
): Hold {
  return {
    ...causeOf(world, testUntil === null ? user : { ...user, signals: [] }, now),
    state: 'pausing',
    readAt: world.readAt,
    pauseSentAt: null,
    pausedAt: null,
    resumeSentAt: null,
    testUntil,
    beganAsTest: testUntil !== null,
    surprise: null,
    postponedUntil: null,
    resumeAsked: null,
    refusal: null,
    ...NO_FAILURE,
    outcome: null,
    releaseReason: null,
    outside: null,
  };
}
