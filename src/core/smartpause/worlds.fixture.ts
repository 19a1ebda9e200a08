import type { SmartPauseSetting } from '../campaign.ts';
import type { Instant } from '../time.ts';
import type { Hold, LiveStatus } from './hold.ts';
import { afterWriteDone } from './hold.ts';
import type { Level } from './level.ts';
import type { LiveCampaign, Owner, Plan, World } from './plan.ts';
import type { Status } from './status.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';

/** Builds worlds for tests: an owner with all permissions, and one line per campaign. */
export const OWNER: Owner = {
  threshold: 'MEDIUM',
  resume: { mode: 'instant' },
  thresholdEdit: null,
  mayHold: true,
  tokenUsable: true,
  leaving: false,
};

export const START: Instant = Date.parse('2026-01-09T02:10:00Z');

/** The status after these levels, one per minute, the last one at START. */
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
  startTime?: Instant;
  stopTime?: Instant;
  /** When Meta refused its pause for good. */
  refusedAt?: Instant;
  hold?: Partial<Hold>;
}

export function world(args: { status: Status; owner?: Partial<Owner>; campaigns: CampaignLine[] }): World {
  return {
    status: args.status,
    owner: { ...OWNER, ...args.owner },
    campaigns: args.campaigns.flatMap(({ id, live, budget, isLegacyAdvantage = false, ...line }) => {
      const { startTime = null, stopTime = null } = line;
      const known = { dailyBudget: budget ?? null, isLegacyAdvantage, startTime, stopTime };
      return live === undefined ? [] : [{ id, status: live, ...known }];
    }),
    settings: new Map(args.campaigns.map(({ id, setting }) => [id, setting ?? 'ON'])),
    holds: args.campaigns.flatMap(({ id, hold }) => (hold === undefined ? [] : [holdOn(id, hold)])),
    heldByOthers: new Set(),
    refusedPauses: new Map(
      args.campaigns.flatMap(({ id, refusedAt }) => (refusedAt === undefined ? [] : [[id, refusedAt]])),
    ),
    log: new Map(),
    manualChanges: [],
    readAt: Infinity,
  };
}

export function holdOn(campaignId: string, over: Partial<Hold> = {}): Hold {
  return {
    id: `hold-${campaignId}`,
    campaignId,
    state: 'paused',
    sentAt: null,
    resumedAt: null,
    retryAt: null,
    refusals: 0,
    suspicion: null,
    release: null,
    turnedOff: false,
    testUntil: null,
    pausedAt: null,
    ...over,
  };
}

/** Changes in short: 'pause a', 'paused a, resume a', 'a released: smartpause_off'. */
export function steps(plan: Plan): string[] {
  return plan.changes.map(({ campaignId, reports, end, send, after }) => {
    const write = send ? [after.state === 'pausing' ? 'pause' : 'resume'] : [];
    const ended = end === null ? [] : [end.outcome === 'released' ? `released: ${end.reason}` : 'ends'];
    const parts = [...reports, ...ended, ...write];
    return [campaignId, ...(parts.length > 0 ? parts : [after.state])].join(' ');
  });
}

/** Applies a plan as a platform would that accepts every write. */
export function carriedOut(before: World, plan: Plan, now: Instant): World {
  const live = new Map(before.campaigns.map((campaign): [string, LiveCampaign] => [campaign.id, campaign]));
  const settings = new Map(before.settings);
  const holds = new Map(before.holds.map((hold) => [hold.campaignId, hold]));
  for (const { campaignId, before: stored, after, end, send, reports } of plan.changes) {
    if (reports.includes('deactivated')) settings.set(campaignId, 'DEACTIVATED');
    const done = send ? afterWriteDone(after, stored?.sentAt ?? null, now) : { hold: after, end };
    const campaign = live.get(campaignId);
    if (send && campaign !== undefined)
      live.set(campaignId, { ...campaign, status: after.state === 'pausing' ? 'PAUSED' : 'ACTIVE' });
    if (done.end === null) holds.set(campaignId, done.hold);
    else holds.delete(campaignId);
  }
  return { ...before, campaigns: [...live.values()], settings, holds: [...holds.values()] };
}
