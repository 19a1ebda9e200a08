import { undelivered } from '../campaign.ts';
import type { Blocker } from '../outages/reasons.ts';
import { resumeWithin } from '../smartpause/other-schedule.ts';
import { nextChange } from '../smartpause/signals.ts';
import type { Instant } from '../time.ts';
import { earliest, minutes } from '../time.ts';
import type { WorldUser, World, LiveCampaign } from './world.ts';
import {
  holdingOf,
  isBlocked,
  isOn,
  leftAloneWhy,
  mayStart,
  newHold,
  resumeTimeOf,
  settingOf,
  userOf,
  viewOf,
  wantsPauses,
} from './world.ts';
import type { CampaignState, Decision } from './decide-campaign.ts';
import { decideCampaign } from './decide-campaign.ts';
import type { CampaignWrite, Hold } from './hold.ts';
import { READ_LAG_MS, WISH_MS, WISH_OF_MANY_MS, isLive, isTest } from './hold.ts';
import { isNotResumed, oneRetryAtATime } from './refusals.ts';
import { confirmedHold, keptHold } from './transfer.ts';
import type { Holder } from './work.ts';
import { nextLook } from './work.ts';

/** Accounts with holds or writes, or with SmartPause on during a match, are read again at least this often. */
export const REREAD_MS = minutes(5);

/** What becomes of one campaign. */
export interface CampaignChange extends Decision {
  campaignId: string;
  /** As stored. */
  before: CampaignState;
}

export interface AccountPlan {
  /** In the order of writing: highest budget first. */
  changes: CampaignChange[];
  /** When to read again if nothing happens before; null: not until something happens. */
  lookAt: Instant | null;
  /** Campaigns whose decision needs the activity log. */
  needLog: string[];
}

/** Computes the changes that bring the account to its desired state, for all of its users. Idempotent. */
export function planAccount(world: World, now: Instant): AccountPlan {
  const campaigns = new Map((world.campaigns ?? []).map((campaign) => [campaign.id, campaign]));
  const on = [...campaigns.keys()].filter((id) => world.users.some((user) => isOn(user, id)));
  const concerned = [...new Set([...world.holds.keys(), ...world.writes.keys(), ...on])];
  const decided = concerned.map((campaignId) => {
    const before = { hold: world.holds.get(campaignId) ?? null, write: world.writes.get(campaignId) ?? null };
    return {
      campaignId,
      before,
      ...decideOne(world, { campaignId, ...before }, campaigns.get(campaignId), now),
    };
  });
  const isBusy = canRead(world) && decided.some(({ hold, write }) => isLive(hold) || isUnsettled(write));
  const budget = ({ campaignId }: CampaignChange): number => campaigns.get(campaignId)?.dailyBudget ?? 0;
  const changes = decided
    .filter((one) => !one.needsLog && isChange(one))
    // When limits bind, the highest budget comes first.
    .toSorted((a, b) => budget(b) - budget(a) || (a.campaignId < b.campaignId ? -1 : 1));
  return {
    changes: oneRetryAtATime(changes, (write) => isDoubtful(world, write)),
    lookAt: earliest([
      needsReading(world, now) || isBusy ? now + REREAD_MS : null,
      ...decided.map(({ lookAt }) => lookAt),
      ...startTimes(world, now),
      ...doubtedPauses(world, now),
      ...world.users.map(({ signals }) => nextChange(signals, now)),
      ...[...world.holds.values()].map(({ testUntil }) => ((testUntil ?? 0) > now ? testUntil : null)),
    ]),
    needLog: decided.filter(({ needsLog }) => needsLog).map(({ campaignId }) => campaignId),
  };
}

/** Whether the plan depends on the campaigns' current status; if not, the platform is not called. */
export function needsReading(world: World, now: Instant): boolean {
  if (!canRead(world)) return false;
  if (world.holds.size > 0 || [...world.writes.values()].some(isUnsettled)) return true;
  return world.users.some(
    (user) =>
      wantsPauses(world, user, now) && [...user.settings.values()].some(({ setting }) => setting === 'ON'),
  );
}

/** Why a match does not pause this campaign for the user; null: it does. */
export function blockerOf(
  world: World,
  user: WorldUser,
  campaign: Omit<LiveCampaign, 'dailyBudget'>,
  now: Instant,
): Blocker | null {
  const { id, status } = campaign;
  const hold = world.holds.get(id);
  if (hold !== undefined) return hold.userId === user.id ? 'held' : 'held_by_other_user';
  if (status !== 'ACTIVE') return 'already_paused';
  const outside = undelivered(campaign, now);
  if (outside !== null) return outside;
  if (campaign.isLegacyAdvantage === true) return 'legacy_advantage';
  const setting = settingOf(user, id);
  if (setting !== 'ON') return setting === 'OFF' ? 'smartpause_off' : 'smartpause_deactivated';
  const left = leftAloneWhy(world, user, id, now);
  if (left !== null) return left;
  const write = world.writes.get(id);
  return write?.wanted?.status === 'ACTIVE' || (isUnsettled(write) && write?.target === 'ACTIVE')
    ? 'manual_resume'
    : null;
}

function canRead({ users }: World): boolean {
  return users.some(({ hasAccess }) => hasAccess);
}

function isUnsettled(write: CampaignWrite | null | undefined): boolean {
  if (write === null || write === undefined) return false;
  return write.state === 'open' || write.unansweredUntil !== null || write.wanted !== null;
}

function decideOne(
  world: World,
  { campaignId, hold, write }: CampaignState & { campaignId: string },
  campaign: LiveCampaign | undefined,
  now: Instant,
): Decision {
  const kept = hold === null ? { hold, reports: [] } : keptHold(world, campaignId, hold, now);
  const decision = decideCampaign(
    { hold: kept.hold, write: restorable(world, write) },
    {
      now,
      readAt: world.readAt,
      actual: campaign?.status ?? null,
      log: world.logOf(campaignId),
      schedule: world.schedules.get(campaignId) ?? null,
      hasEnded: undelivered(campaign ?? {}, now) === 'ended',
      holder: kept.hold === null ? null : holderOf(world, campaignId, kept.hold, now),
      newHold: campaign === undefined ? null : holdToBegin(world, campaign, now),
      sendFrom: (userId) => sendFrom(world, userId, now),
      isOn: (userId) => isOn(userOf(world, userId), campaignId),
      isNotResumed: (userId) => {
        const refused = userOf(world, userId)?.refusedResumes.get(campaignId);
        return refused !== undefined && isNotResumed(refused, now);
      },
      wishMs: world.ofMany.has(campaignId) ? WISH_OF_MANY_MS : WISH_MS,
    },
  );
  const reports = [...kept.reports, ...decision.reports];
  if (decision.hold === null) return { ...decision, reports };
  const confirmed = confirmedHold(world, campaignId, decision.hold, now);
  const isNews = confirmed !== decision.hold && confirmed.pausedAt !== null && !reports.includes('paused');
  return { ...decision, hold: confirmed, reports: isNews ? [...reports, 'paused'] : reports };
}

/** The platform refused it, or all writes of its user, and has accepted none of the user's since. */
export function isDoubtful(world: World, write: CampaignWrite): boolean {
  const { requestedBy, refusals, finalRefusals } = write;
  if (world.accepted.has(requestedBy)) return false;
  return refusals > finalRefusals || (userOf(world, requestedBy)?.writesBlockedUntil ?? null) !== null;
}

/** Any user with access can write an external change again. */
function restorable(world: World, write: CampaignWrite | null): CampaignWrite | null {
  if (write?.origin !== 'restore' || write.state !== 'open') return write;
  if (userOf(world, write.requestedBy)?.hasAccess === true) return write;
  const other = world.users.find(({ hasAccess }) => hasAccess);
  return other === undefined ? write : { ...write, requestedBy: other.id };
}

export function holderOf(world: World, campaignId: string, hold: Hold, now: Instant): Holder {
  const user = userOf(world, hold.userId);
  if (user === undefined)
    return {
      ...{ isOn: false, turnedAt: null, isPauseWanted: false, isAbandoned: true, isLeaving: false },
      ...{ resumeAt: now, isPostponed: false },
    };
  const { testUntil } = hold;
  const dueAt = resumeTimeOf(world, user, { campaignId, hold }, now);
  const keepsHours = dueAt !== null && !isTest(hold) && !user.isLeaving && hold.resumeAsked === null;
  const schedule = keepsHours ? (world.schedules.get(campaignId) ?? null) : null;
  const resumeAt = schedule === null ? dueAt : resumeWithin(schedule, Math.max(dueAt ?? now, now));
  const isTestWanted = user.mayHold && user.hasAccess && !user.isLeaving && now < (testUntil ?? 0);
  return {
    isOn: isTest(hold) || isOn(user, campaignId),
    turnedAt: isTest(hold) ? null : (user.settings.get(campaignId)?.changedAt ?? null),
    isPauseWanted: isTest(hold)
      ? isTestWanted
      : hold.resumeAsked === null && wantsPauses(world, user, now, hold.threshold),
    resumeAt,
    isPostponed: resumeAt !== null && dueAt !== null && dueAt <= now && resumeAt > now,
    isLeaving: user.isLeaving,
    isAbandoned: user.isLeaving && (!user.hasAccess || isBlocked(user, now)),
  };
}

/** Null: the user cannot write before the next login. */
function sendFrom(world: World, userId: string, now: Instant): Instant | null {
  const user = userOf(world, userId);
  if (user?.hasAccess !== true) return null;
  return Math.max(now, user.writesBlockedUntil ?? 0);
}

function holdToBegin(world: World, campaign: LiveCampaign, now: Instant): Hold | null {
  const users = world.users.filter(
    (one) =>
      mayStart(viewOf(world, one, now)) &&
      wantsPauses(world, one, now) &&
      blockerOf(world, one, campaign, now) === null,
  );
  const user = users.find((one) => !isBlocked(one, now)) ?? users[0];
  return user === undefined ? null : newHold(world, holdingOf(world, user, campaign.id, now), now);
}

function isChange({ before, hold, write, send, reports }: CampaignChange): boolean {
  return send !== null || reports.length > 0 || hold !== before.hold || write !== before.write;
}

/** From then on a campaign that has not started yet can be paused. */
function startTimes({ campaigns, users, status }: World, now: Instant): Instant[] {
  const waiting = users.filter((user) => wantsPauses({ status }, user, now));
  return (campaigns ?? [])
    .filter(({ id, status: live }) => live === 'ACTIVE' && waiting.some((user) => isOn(user, id)))
    .flatMap((campaign) => (undelivered(campaign, now) === 'scheduled' ? (campaign.startTime ?? []) : []));
}

/** A read may not show our resume yet, and a match is to pause the campaign: it is looked at again soon. */
function doubtedPauses({ campaigns, users, status, writes, readAt }: World, now: Instant): Instant[] {
  const waiting = users.filter((user) => wantsPauses({ status }, user, now));
  return (campaigns ?? []).flatMap(({ id, status: live }) => {
    const confirmed = writes.get(id)?.confirmed ?? null;
    if (live !== 'PAUSED' || confirmed?.status !== 'ACTIVE' || !waiting.some((user) => isOn(user, id)))
      return [];
    return readAt < confirmed.at + READ_LAG_MS ? [nextLook(confirmed.at, readAt)] : [];
  });
}
