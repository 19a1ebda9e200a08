import { effectiveSubscription, isProtected } from '#core/billing/subscription.ts';
import type { LiveStatus } from '#core/smartpause/hold.ts';
import { LIVE_STATUSES } from '#core/smartpause/hold.ts';
import type { LiveCampaign, World } from '#core/smartpause/plan.ts';
import type { Status } from '#core/smartpause/status.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import type { StoredWorld } from '../db/holds/worlds.ts';

/** Puts rows together into what the core decides on. */
export function toWorld(
  stored: StoredWorld,
  status: Status,
  live: { campaigns: readonly LiveCampaign[]; tokenUsable: boolean; readAt: Instant },
  now: Instant,
): World {
  const { person } = stored;
  return {
    status,
    owner: {
      threshold: person.threshold,
      resume: person.resume,
      thresholdEdit: person.thresholdEdit,
      mayHold: person.isInitialized && isProtected(effectiveSubscription(stored.subscriptions, now), now),
      tokenUsable: live.tokenUsable,
      leaving: person.leaving !== null,
    },
    campaigns: live.campaigns,
    settings: stored.settings,
    holds: stored.holds,
    heldByOthers: stored.heldByOthers,
    changedByOthers: new Set(),
    resumedLate: new Set(),
    undone: new Set(),
    pausedByUs: new Set(),
    readAt: live.readAt,
  };
}

/** A campaign in a status we do not know is left out: no information. */
export function toLive(campaigns: readonly PlatformCampaign[]): LiveCampaign[] {
  return campaigns.flatMap(({ id, status, dailyBudget, isLegacyAdvantage }) =>
    isLiveStatus(status) ? [{ id, status, dailyBudget, isLegacyAdvantage }] : [],
  );
}

function isLiveStatus(status: string): status is LiveStatus {
  return LIVE_STATUSES.some((known) => known === status);
}
