import type { DeliveryTimes, SmartPauseSetting } from '../campaign.ts';
import { undelivered } from '../campaign.ts';
import type { Instant } from '../time.ts';
import { earliest, minutes } from '../time.ts';
import type { Finding } from './activity-log.ts';
import { NOTHING_FOUND } from './activity-log.ts';
import type { Blocker } from './blockers.ts';
import type { Circumstances } from './decide.ts';
import { decide, endUnread } from './decide.ts';
import type { Hold, HoldEnd, LiveStatus, Report } from './hold.ts';
import { expiryOf, isTest, writtenStatus } from './hold.ts';
import { meetsThreshold } from './level.ts';
import type { ManualChange } from './manual-change.ts';
import { manualUntil } from './manual-change.ts';
import type { ResumeChoice } from './resume-time.ts';
import { resumeAt } from './resume-time.ts';
import type { Status } from './status.ts';

/** Accounts with holds, or with SmartPause on during a match, are read again at least this often. */
export const REREAD_MS = minutes(5);

export interface Owner extends ResumeChoice {
  /** Active subscription and completed setup: conditions for a new hold, never for ending one. */
  mayHold: boolean;
  /** The platform accepts this user's token; without it nothing is read or written. */
  tokenUsable: boolean;
  /**
   * The user revokes access or deletes the account: all holds are resumed at once, and no new hold starts.
   */
  leaving: boolean;
}

export interface LiveCampaign extends DeliveryTimes {
  id: string;
  status: LiveStatus;
  /** Per day, in the minor unit of the account's currency; null: the budget is kept elsewhere. */
  dailyBudget: number | null;
  /** Meta's API refuses changes, so the campaign gets no new hold. Absent: not known to be legacy. */
  isLegacyAdvantage?: boolean;
}

/** All inputs for one user in one ad account. */
export interface World {
  status: Status;
  owner: Owner;
  /** As just read from the platform. A campaign that could not be read is absent: no information. */
  campaigns: readonly LiveCampaign[];
  settings: ReadonlyMap<string, SmartPauseSetting>;
  holds: readonly Hold[];
  /** Campaigns that another user's hold covers; the plan leaves them alone. */
  heldByOthers: ReadonlySet<string>;
  /** When Meta last refused the pause of a campaign for good, after SmartPause was turned on for it. */
  refusedPauses: ReadonlyMap<string, Instant>;
  /** What the activity log says about held campaigns; null: it was not read, and some decisions wait for it. */
  log: ReadonlyMap<string, Finding> | null;
  /** Users' own pauses and resumes that are pending, or of which a copy may still arrive. */
  manualChanges: readonly ManualChange[];
  /** When the campaigns were requested. */
  readAt: Instant;
}

/** What becomes of one hold. */
export interface Change {
  campaignId: string;
  /** As stored; null: a new hold, whose pause is to be sent. */
  before: Hold | null;
  /** As it will be before the platform responds. */
  after: Hold;
  end: HoldEnd | null;
  /** The write of `after` is to be sent. */
  send: boolean;
  reports: readonly Report[];
}

export interface Plan {
  /** In the order of writing: highest budget first. */
  changes: Change[];
  /** When to read again if nothing happens before; null: not until something happens. */
  lookAt: Instant | null;
  /** Some decisions need the activity log. */
  needsLog: boolean;
}

/** Computes the changes that bring the account to its desired state. Idempotent. */
export function plan(world: World, now: Instant): Plan {
  if (!world.owner.tokenUsable) return planWithoutToken(world, now);
  const live = new Map(world.campaigns.map((campaign) => [campaign.id, campaign]));
  const given = circumstances(world, now);
  const decided = world.holds.map((hold) => followHold(hold, live.get(hold.campaignId), world, given));
  const held = new Set(decided.flatMap(({ remains, campaignId }) => (remains ? [campaignId] : [])));
  const fresh = given.pauseWanted && given.mayStartPause ? newHolds(world, (id) => held.has(id), now) : [];
  const changes = [...decided.flatMap(({ change }) => change ?? []), ...fresh];
  const watching = held.size > 0 || fresh.length > 0 || (given.matched && anyOn(world));
  return {
    changes: highestBudgetFirst(changes, live),
    lookAt: earliest([
      watching ? now + REREAD_MS : null,
      ...(given.pauseWanted ? startTimes(world, now) : []),
      // A campaign that a user has just changed may be due for a pause afterwards.
      ...world.manualChanges.map((one) => expiryOf(one)).filter((until) => (until ?? 0) > now),
      ...decided.map((one) => one.lookAt),
      // A retry of its pause may be later than the end of a test.
      ...world.holds.map(({ testUntil }) => testUntil).filter((until) => (until ?? 0) > now),
    ]),
    needsLog: decided.some((one) => one.needsLog),
  };
}

/** The circumstances that all holds of one user share. */
type Shared = Omit<Circumstances, 'setting' | 'finding' | 'hasEnded'> & {
  matched: boolean;
  mayHold: boolean;
  isLeaving: boolean;
};

function circumstances(world: World, now: Instant): Shared {
  const { owner, status } = world;
  const matched = meetsThreshold(status.known, owner.threshold);
  return {
    matched,
    mayHold: owner.mayHold && !owner.leaving,
    isLeaving: owner.leaving,
    pauseWanted: matched && owner.mayHold && !owner.leaving,
    resumeFrom: owner.leaving ? now : resumeAt(status, owner),
    mayStartPause: status.effective !== 'UNKNOWN',
    now,
    readAt: world.readAt,
  };
}

/** The outage keeps what a test paused, and the hold becomes one of the outage. */
function isKeptByOutage(hold: Hold): boolean {
  return isTest(hold) && hold.release === null && writtenStatus(hold) === 'PAUSED';
}

/** A test wants the pause until its end and the resume afterwards; SmartPause need not be on for it. */
function forTest(
  { testUntil }: Hold,
  given: Shared & Pick<Circumstances, 'setting'> & { isPauseWanted: boolean },
): Omit<Circumstances, 'finding' | 'hasEnded'> {
  if (testUntil === null) return given;
  const { isPauseWanted, isLeaving, mayHold, now } = given;
  return {
    ...given,
    setting: 'ON',
    pauseWanted: mayHold && now < testUntil,
    resumeFrom: isPauseWanted ? null : isLeaving ? now : testUntil,
  };
}

interface Followed {
  campaignId: string;
  change: Change | null;
  /** The campaign gets no other hold in this plan. */
  remains: boolean;
  lookAt: Instant | null;
  needsLog: boolean;
}

/** Takes one hold as far as possible before the platform is called: one step may enable the next. */
function followHold(before: Hold, campaign: LiveCampaign | undefined, world: World, given: Shared): Followed {
  const { campaignId } = before;
  const setting = settingOf(world, campaignId);
  const isPauseWanted = given.pauseWanted && setting === 'ON';
  const finding = world.log === null ? null : (world.log.get(campaignId) ?? NOTHING_FOUND);
  const hasEnded = undelivered(campaign ?? {}, given.now) === 'ended';
  const reports: Report[] = [];
  let after = before;
  for (;;) {
    if (isPauseWanted && isKeptByOutage(after)) {
      if (after.state === 'paused') reports.push('paused');
      after = { ...after, testUntil: null };
    }
    const wanted = forTest(after, { ...given, setting, isPauseWanted });
    const step = decide(after, campaign?.status, { ...wanted, hasEnded, finding });
    const so = { campaignId, before, reports };
    const stays = { campaignId, remains: true, lookAt: null, needsLog: false };
    switch (step.kind) {
      case 'change':
        after = step.hold;
        if (step.report !== undefined) reports.push(step.report);
        continue;
      case 'send': {
        const write = { campaignId, status: writtenStatus(step.hold) };
        const until = manualUntil(world.manualChanges, write, given.now);
        if (until !== null) return { ...stays, change: changeOf(so, before, after), lookAt: until };
        return { ...stays, change: { ...so, after: step.hold, end: null, send: true } };
      }
      case 'end': {
        reports.push(...step.reports);
        const remains = reports.includes('deactivated') || reports.includes('refused');
        return { ...stays, change: { ...so, after, end: step.end, send: false }, remains };
      }
      case 'wait':
        return { ...stays, change: changeOf(so, before, after), lookAt: step.until };
      case 'read_log':
        return { ...stays, change: changeOf(so, before, after), needsLog: true };
    }
  }
}

function changeOf(
  so: Pick<Change, 'campaignId' | 'before' | 'reports'>,
  before: Hold,
  after: Hold,
): Change | null {
  return after === before ? null : { ...so, after, end: null, send: false };
}

function newHolds(world: World, taken: (campaignId: string) => boolean, now: Instant): Change[] {
  return world.campaigns
    .filter((campaign) => blockerOf(world, { ...campaign, isHeld: taken(campaign.id) }, now) === null)
    .map(({ id }) => ({
      campaignId: id,
      before: null,
      after: newHold(id),
      end: null,
      send: true,
      reports: [],
    }));
}

/** Why a match does not pause this campaign; null: it does. */
export function blockerOf(
  { settings, heldByOthers, manualChanges, ...world }: World,
  campaign: Omit<LiveCampaign, 'dailyBudget'> & { isHeld: boolean },
  now: Instant,
): Blocker | null {
  const { id, status } = campaign;
  if (campaign.isHeld) return 'held';
  if (status !== 'ACTIVE') return 'already_paused';
  const outside = undelivered(campaign, now);
  if (outside !== null) return outside;
  if (campaign.isLegacyAdvantage === true) return 'legacy_advantage';
  if (heldByOthers.has(id)) return 'held_by_other_user';
  const setting = settings.get(id) ?? 'OFF';
  if (setting !== 'ON') return setting === 'OFF' ? 'smartpause_off' : 'smartpause_deactivated';
  const matchSince = world.status.matchSince[world.owner.threshold];
  if (matchSince !== null && (world.refusedPauses.get(id) ?? 0) >= matchSince) return 'pause_refused';
  const isBusy = manualUntil(manualChanges, { campaignId: id, status: 'PAUSED' }, now) !== null;
  return isBusy ? 'manual_resume' : null;
}

/** From then on a campaign that has not started yet can be paused. */
function startTimes({ campaigns, settings }: World, now: Instant): Instant[] {
  return campaigns
    .filter(({ id, status }) => status === 'ACTIVE' && settings.get(id) === 'ON')
    .flatMap((campaign) => (undelivered(campaign, now) === 'scheduled' ? (campaign.startTime ?? []) : []));
}

function newHold(campaignId: string): Hold {
  return {
    id: '',
    campaignId,
    state: 'pausing',
    sentAt: null,
    retryAt: null,
    refusals: 0,
    suspicion: null,
    pausedAt: null,
    resumedAt: null,
    release: null,
    turnedOff: false,
    testUntil: null,
  };
}

/**
 * Without a usable token, only steps without platform calls are possible. Campaigns of a leaving user are not
 * resumed then.
 */
function planWithoutToken(world: World, now: Instant): Plan {
  const over = world.holds.flatMap((hold) => {
    const isOff = settingOf(world, hold.campaignId) !== 'ON' && !isTest(hold);
    const ends = isOff || hold.release !== null || hold.state === 'resumed' || world.owner.leaving;
    return ends ? [{ hold, reason: isOff ? ('smartpause_off' as const) : ('access_lost' as const) }] : [];
  });
  const waiting = over.map(({ hold }) => expiryOf(hold)).filter((until) => until !== null && until > now);
  const changes = over.flatMap(({ hold, reason }): Change[] => {
    if ((expiryOf(hold) ?? 0) > now) return [];
    const { end, reports } = endUnread(hold, reason);
    return [{ campaignId: hold.campaignId, before: hold, after: hold, end, send: false, reports }];
  });
  return { changes: highestBudgetFirst(changes, new Map()), lookAt: earliest(waiting), needsLog: false };
}

function settingOf(world: World, campaignId: string): SmartPauseSetting {
  return world.settings.get(campaignId) ?? 'OFF';
}

function anyOn(world: World): boolean {
  return [...world.settings.values()].includes('ON');
}

/** When limits bind, the highest budget comes first. Ties sort by id to keep the order stable. */
function highestBudgetFirst(changes: Change[], live: ReadonlyMap<string, LiveCampaign>): Change[] {
  const budget = ({ campaignId }: Change): number => live.get(campaignId)?.dailyBudget ?? 0;
  const byId = (a: Change, b: Change): number =>
    a.campaignId < b.campaignId ? -1 : a.campaignId > b.campaignId ? 1 : 0;
  return changes.toSorted((a, b) => budget(b) - budget(a) || byId(a, b));
}

/** Whether the plan depends on the campaigns' current status; if not, the platform is not called. */
export function needsReading(world: World): boolean {
  if (!world.owner.tokenUsable) return false;
  const { pauseWanted } = circumstances(world, 0);
  return world.holds.length > 0 || (pauseWanted && anyOn(world));
}
