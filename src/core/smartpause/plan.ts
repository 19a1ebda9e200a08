import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import { earliest, minutes } from '../time.ts';
import { decideHold } from './decide-hold.ts';
import type { Circumstances } from './decision.ts';
import type { Hold, HoldStep, LiveStatus } from './hold.ts';
import { SECOND_SIGHT_MS, afterStep, inDoubtOf, isUntoldPause, isWatched } from './hold.ts';
import { meetsThreshold } from './level.ts';
import type { ResumeChoice } from './resume-time.ts';
import { resumeAt } from './resume-time.ts';
import type { Status } from './status.ts';

/** Accounts with holds, or with something to watch during a match, are read again at least this often. */
export const REREAD_MS = minutes(5);

export interface Owner extends ResumeChoice {
  /** Active subscription and initialized: what a new hold needs. Never a condition for ending one. */
  mayHold: boolean;
  /** The platform accepts this person's token; without it nothing is read or written for them. */
  tokenUsable: boolean;
  /** They are revoking or deleting: everything held is given back at once, nothing new is taken. */
  leaving: boolean;
}

export interface LiveCampaign {
  id: string;
  status: LiveStatus;
  /** Per day in the account's minor unit; null when the budget is kept elsewhere. */
  dailyBudget: number | null;
  /** It cannot be changed through Meta's API: it gets no new hold. Left out: as far as is known, it can be changed. */
  isLegacyAdvantage?: boolean;
}

/** Everything that is known of one person in one ad account. */
export interface World {
  status: Status;
  owner: Owner;
  /** As just read from the platform. A campaign that could not be read is not in it: no information. */
  campaigns: readonly LiveCampaign[];
  settings: ReadonlyMap<string, SmartPauseSetting>;
  holds: readonly Hold[];
  /** Campaigns that another person's hold covers; theirs to end. */
  heldByOthers: ReadonlySet<string>;
  /** Held campaigns whose status somebody else was the last to change since, as far as the platform's log tells. */
  changedByOthers: ReadonlySet<string>;
  /** Held campaigns that a resume of ours which nobody answered was the last to change, as far as that log tells. */
  resumedLate: ReadonlySet<string>;
  /** Campaigns of which a write of ours has undone what a hand had set meanwhile, as far as that log tells. */
  undone: ReadonlySet<string>;
  /** Campaigns that we have paused since we decided to, as far as that log tells. */
  pausedByUs: ReadonlySet<string>;
  /** When the campaigns were asked for. */
  readAt: Instant;
}

/** `hold: null` with `pause` is a new hold: the campaign was found running. */
export interface Change {
  campaignId: string;
  hold: Hold | null;
  step: HoldStep;
}

export interface Plan {
  /** In the order in which they are to be carried out: the dearest campaigns first. */
  changes: Change[];
  /** When looking again could matter, if nothing happens before; null: not until something happens. */
  lookAt: Instant | null;
}

/** What should be done now so that what holds becomes what should hold. Deciding it again changes nothing. */
export function plan(world: World, now: Instant): Plan {
  if (!world.owner.tokenUsable)
    return { changes: dearestFirst(endedWithoutToken(world), new Map()), lookAt: null };
  const live = new Map(world.campaigns.map((campaign) => [campaign.id, campaign]));
  const given = circumstances(world, now);
  const decided = world.holds.map((hold) =>
    followHold(hold, live.get(hold.campaignId)?.status, world, given),
  );
  const held = new Set(
    decided.flatMap(({ remaining }) => (remaining === null ? [] : [remaining.campaignId])),
  );
  const lost = new Set(
    decided.flatMap(({ changes }) =>
      changes.filter((c) => c.step.kind === 'deactivate').map((c) => c.campaignId),
    ),
  );
  const fresh =
    given.pauseWanted && given.mayStartPause ? newHolds(world, (id) => held.has(id) || lost.has(id)) : [];
  const changes = [...decided.flatMap((one) => one.changes), ...fresh];
  const watching = held.size > 0 || fresh.length > 0 || (given.matched && anyOn(world));
  const lookAt = earliest([watching ? now + REREAD_MS : null, ...decided.map((one) => one.lookAt)]);
  return { changes: dearestFirst(changes, live), lookAt };
}

/** The same for every hold of one person. */
type Shared = Omit<Circumstances, 'setting' | 'isTheirs' | 'isLateOfOurs' | 'isUndone' | 'wasPausedByUs'>;

function circumstances(world: World, now: Instant): Shared {
  const { owner, status } = world;
  const matched = meetsThreshold(status.known, owner.threshold);
  return {
    matched,
    pauseWanted: matched && owner.mayHold && !owner.leaving,
    resumeFrom: owner.leaving ? now : resumeAt(status, owner),
    mayStartPause: status.effective !== 'UNKNOWN',
    now,
    readAt: world.readAt,
  };
}

/** Takes one hold as far as it goes without waiting for the platform: what is learnt may allow the next step. */
function followHold(hold: Hold, live: LiveStatus | undefined, world: World, given: Shared) {
  const setting = world.settings.get(hold.campaignId) ?? 'OFF';
  const isTheirs = world.changedByOthers.has(hold.campaignId);
  const isLateOfOurs = world.resumedLate.has(hold.campaignId);
  const isUndone = world.undone.has(hold.campaignId);
  const wasPausedByUs = world.pausedByUs.has(hold.campaignId);
  const changes: Change[] = [];
  let current: Hold = hold;
  for (;;) {
    const { step, lookAt } = decideHold(current, live, {
      ...given,
      setting,
      isTheirs,
      isLateOfOurs,
      isUndone,
      wasPausedByUs,
    });
    if (step === null) return { changes, remaining: current, lookAt };
    changes.push({ campaignId: hold.campaignId, hold, step });
    const next = afterStep(current, step, given.now);
    if (next === null) return { changes, remaining: null, lookAt: null };
    if (step.kind === 'pause' || step.kind === 'resume') return { changes, remaining: next, lookAt: null };
    if (step.kind === 'suspect') return { changes, remaining: next, lookAt: given.now + SECOND_SIGHT_MS };
    current = next;
  }
}

function newHolds(world: World, taken: (campaignId: string) => boolean): Change[] {
  return world.campaigns
    .filter(({ id, status }) => status === 'ACTIVE' && world.settings.get(id) === 'ON')
    .filter(({ isLegacyAdvantage }) => isLegacyAdvantage !== true)
    .filter(({ id }) => !taken(id) && !world.heldByOthers.has(id))
    .map(({ id }) => ({ campaignId: id, hold: null, step: { kind: 'pause' } }));
}

/** Without a usable token only what needs no platform can be done; who leaves then cannot be given more back. */
function endedWithoutToken(world: World): Change[] {
  return world.holds.flatMap((hold): Change[] => {
    const off = (world.settings.get(hold.campaignId) ?? 'OFF') !== 'ON';
    if (!off && hold.givenUp === null && !world.owner.leaving) return [];
    const reason = hold.givenUp ?? (off ? 'smartpause_off' : 'access_lost');
    return [
      { campaignId: hold.campaignId, hold, step: { kind: 'let_go', reason, unsettled: inDoubtOf(hold) } },
    ];
  });
}

function anyOn(world: World): boolean {
  return [...world.settings.values()].includes('ON');
}

/** When limits force an order, the campaign that burns most comes first; ties by id, so the order is stable. */
function dearestFirst(changes: Change[], live: ReadonlyMap<string, LiveCampaign>): Change[] {
  const budget = (change: Change): number => live.get(change.campaignId)?.dailyBudget ?? 0;
  const rank = new Map(changes.map((change, index) => [change, index]));
  return changes.toSorted(
    (a, b) =>
      budget(b) - budget(a) ||
      (a.campaignId < b.campaignId
        ? -1
        : a.campaignId > b.campaignId
          ? 1
          : (rank.get(a) ?? 0) - (rank.get(b) ?? 0)),
  );
}

/** Whether the plan could depend on how the campaigns are now; if not, the platform need not be asked. */
export function needsReading(world: World): boolean {
  if (!world.owner.tokenUsable) return false;
  const { pauseWanted } = circumstances(world, 0);
  return world.holds.length > 0 || (pauseWanted && anyOn(world));
}

/**
 * Holds of which it matters who was the last to change the campaign: what is about to be written would overrule a hand, or
 * what passes for a hand may be a lost resume of ours.
 */
export function disputable({ changes }: Plan): Hold[] {
  return changes.flatMap(({ hold, step }) => (hold !== null && isDisputable(hold, step) ? [hold] : []));
}

function isDisputable(hold: Hold, step: HoldStep): boolean {
  if (step.kind === 'pause') return hold.state === 'paused' || hold.givenUp !== null;
  if (step.kind === 'deactivate') return step.reason === 'resumed_outside' && hold.lateResumeUntil !== null;
  if (step.kind === 'let_go' && hold.givenUp === null)
    return step.reason === 'smartpause_off' && (hold.latePauseUntil !== null || isUntoldPause(hold));
  if (step.kind === 'let_go') return hold.givenUp === 'paused_outside';
  if (step.kind === 'confirm_resumed')
    return hold.lateResumeUntil !== null && (isWatched(hold) || hold.state !== 'resuming');
  return step.kind === 'resume';
}
