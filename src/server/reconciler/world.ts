import type { LiveStatus } from '#core/smartpause/hold.ts';
import { LIVE_STATUSES } from '#core/smartpause/hold.ts';
import type { LiveCampaign, World } from '#core/smartpause/plan.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';
import { ownerOf } from '../db/holds/worlds.ts';

/** Builds the core's input from database rows. */
export function toWorld(
  stored: StoredWorld,
  status: Status,
  live: Pick<World, 'campaigns' | 'manualChanges' | 'readAt'> & { tokenUsable: boolean },
  now: Instant,
): World {
  const { user } = stored;
  return {
    status,
    owner: ownerOf(user, { subscriptions: stored.subscriptions, tokenUsable: live.tokenUsable }, now),
    campaigns: live.campaigns,
    settings: stored.settings,
    holds: stored.holds,
    heldByOthers: stored.heldByOthers,
    refusedPauses: stored.refusedPauses,
    log: null,
    manualChanges: live.manualChanges,
    readAt: live.readAt,
  };
}

/** A campaign with an unknown status is left out: no information. */
export function toLive(campaigns: readonly PlatformCampaign[]): LiveCampaign[] {
  return campaigns.flatMap(({ id, status, dailyBudget, isLegacyAdvantage, startTime, stopTime }) =>
    isLiveStatus(status) ? [{ id, status, dailyBudget, isLegacyAdvantage, startTime, stopTime }] : [],
  );
}

function isLiveStatus(status: string): status is LiveStatus {
  return LIVE_STATUSES.some((known) => known === status);
}
