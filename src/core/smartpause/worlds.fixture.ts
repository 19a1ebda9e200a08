import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { Hold, LiveStatus } from './hold.ts';
import { afterStep } from './hold.ts';
import type { Level } from './level.ts';
import type { Change, LiveCampaign, Owner, Plan, World } from './plan.ts';
import type { Status } from './status.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';

/** Builds worlds for tests: an owner who may do everything, and campaigns named in a line each. */
export const OWNER: Owner = {
  threshold: 'MEDIUM',
  resume: { mode: 'instant' },
  thresholdEdit: null,
  mayHold: true,
  tokenUsable: true,
  leaving: false,
};

export const START: Instant = Date.parse('2026-01-09T02:10:00Z');

/** A status that has gone through these levels, one a minute, the last one at START. */
export function statusAfter(...levels: Level[]): Status {
  return levels.reduce(
    (status, trueLevel, index) =>
      nextStatus(status, { trueLevel }, START - (levels.length - 1 - index) * 60_000),
    INITIAL_STATUS,
  );
}

export interface CampaignLine {
  id: string;
  live?: LiveStatus | undefined;
  setting?: SmartPauseSetting;
  budget?: number;
  isLegacyAdvantage?: boolean;
  hold?: Partial<Hold>;
}

export function world(args: { status: Status; owner?: Partial<Owner>; campaigns: CampaignLine[] }): World {
  return {
    status: args.status,
    owner: { ...OWNER, ...args.owner },
    campaigns: args.campaigns.flatMap(({ id, live, budget, isLegacyAdvantage = false }) =>
      live === undefined ? [] : [{ id, status: live, dailyBudget: budget ?? null, isLegacyAdvantage }],
    ),
    settings: new Map(args.campaigns.map(({ id, setting }) => [id, setting ?? 'ON'])),
    holds: args.campaigns.flatMap(({ id, hold }) => (hold === undefined ? [] : [holdOn(id, hold)])),
    heldByOthers: new Set(),
    changedByOthers: new Set(),
    resumedLate: new Set(),
    undone: new Set(),
    pausedByUs: new Set(),
    readAt: Infinity,
  };
}

export function holdOn(campaignId: string, over: Partial<Hold> = {}): Hold {
  return {
    id: `hold-${campaignId}`,
    campaignId,
    state: 'paused',
    inDoubt: false,
    sentAt: START - 600_000,
    latePauseUntil: null,
    lateResumeUntil: null,
    resumedAt: null,
    retryAt: null,
    suspicion: null,
    givenUp: null,
    turnedOff: false,
    pausedAt: null,
    ...over,
  };
}

/** Steps in short: 'pause a', 'let_go b smartpause_off'. */
export function steps(plan: Plan): string[] {
  return plan.changes.map(({ campaignId, step }) =>
    [step.kind, campaignId, 'reason' in step ? step.reason : ''].join(' ').trim(),
  );
}

/** Carries a plan out on a platform that does as it is told. */
export function carriedOut(before: World, plan: Plan, now: Instant): World {
  const live = new Map(before.campaigns.map((campaign): [string, LiveCampaign] => [campaign.id, campaign]));
  const settings = new Map(before.settings);
  const holds = new Map(before.holds.map((hold) => [hold.campaignId, hold]));
  for (const change of plan.changes) applyChange(change, { live, settings, holds }, now);
  return { ...before, campaigns: [...live.values()], settings, holds: [...holds.values()] };
}

interface Tables {
  live: Map<string, LiveCampaign>;
  settings: Map<string, SmartPauseSetting>;
  holds: Map<string, Hold>;
}

function applyChange({ campaignId, step }: Change, { live, settings, holds }: Tables, now: Instant): void {
  const hold = holds.get(campaignId) ?? holdOn(campaignId, { state: 'pausing', sentAt: now });
  let next = afterStep(hold, step, now);
  if (step.kind === 'pause' || step.kind === 'resume') {
    const status: LiveStatus = step.kind === 'pause' ? 'PAUSED' : 'ACTIVE';
    const campaign = live.get(campaignId);
    if (campaign !== undefined) live.set(campaignId, { ...campaign, status });
    const done = step.kind === 'pause' ? ('confirm_paused' as const) : ('confirm_resumed' as const);
    if (next !== null) next = afterStep(next, { kind: done }, now);
  }
  if (step.kind === 'deactivate') settings.set(campaignId, 'DEACTIVATED');
  if (next === null) holds.delete(campaignId);
  else holds.set(campaignId, next);
}
