import type { Level } from '#core/smartpause/level.ts';
import { INITIAL_STATUS, nextStatus } from '#core/smartpause/status.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import { planAccount } from '#core/reconciler/plan-account.ts';
import type { LiveCampaign, World, WorldUser } from '#core/reconciler/world.ts';
import { newHold } from '#core/reconciler/world.ts';

export const NOW = Date.parse('2026-01-09T02:10:00Z');
export const MATCHED = NOW - 600_000;

export function statusOf(...levels: Level[]) {
  return levels.reduce((status, trueLevel) => nextStatus(status, { trueLevel }, MATCHED), INITIAL_STATUS);
}

export function user(id: string, over: Partial<WorldUser> = {}, on: string[] = ['c']): WorldUser {
  return {
    ...{
      id,
      threshold: 'MEDIUM',
      resume: { mode: 'instant' },
      mayHold: true,
      hasAccess: true,
      isLeaving: false,
    },
    ...{ writesBlockedUntil: null, leftAlone: new Map(), refusedResumes: new Map(), signals: [] },
    settings: new Map(on.map((campaign) => [campaign, { setting: 'ON', changedAt: MATCHED }])),
    ...over,
  };
}

export function turnedOff(id: string, changedAt: number): WorldUser {
  return user(id, { settings: new Map([['c', { setting: 'OFF', changedAt }]]) });
}

export const campaign = (over: Partial<LiveCampaign> = {}): LiveCampaign => ({
  ...{ id: 'c', status: 'ACTIVE', dailyBudget: 100 },
  ...over,
});

export function worldOf(over: Partial<World> = {}): World {
  return {
    ...{ status: statusOf('HIGH_DISRUPTION'), users: [user('a')], campaigns: [campaign()], readAt: NOW },
    ...{ holds: new Map(), writes: new Map(), logOf: () => [], accepted: new Set(), schedules: new Map() },
    ...{ ofMany: new Set(), timeZone: null },
    ...over,
  };
}

export function held(userId: string, over: Partial<Hold> = {}): Partial<World> {
  const hold = newHold({ status: statusOf('HIGH_DISRUPTION'), readAt: MATCHED }, user(userId), MATCHED);
  const campaigns = [campaign({ status: 'PAUSED' })];
  return { holds: new Map([['c', { ...hold, state: 'paused', pausedAt: MATCHED, ...over }]]), campaigns };
}

/** In short: campaign, user, reports, state or reason of the end, what is sent. */
export function short(world: World): string[] {
  return planAccount(world, NOW).changes.map(({ campaignId, hold, reports, send }) =>
    [
      campaignId,
      hold?.userId,
      ...reports.map(String),
      hold?.releaseReason ?? hold?.outcome ?? hold?.state,
      send ?? '',
    ]
      .join(' ')
      .trimEnd(),
  );
}
