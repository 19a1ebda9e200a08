import type { LiveCampaign } from '#core/reconciler/world.ts';
import type { ActualStatus } from '#core/reconciler/hold.ts';
import type { PlatformCampaign } from '#core/platform.ts';

const LISTED: readonly ActualStatus[] = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'];

/** A listed campaign as the core sees it. One with an unknown status is left out: no information. */
export function toLive(campaign: PlatformCampaign): LiveCampaign[] {
  const { id, dailyBudget, isLegacyAdvantage, startTime, stopTime } = campaign;
  const status = LISTED.find((one) => one === campaign.status);
  return status === undefined ? [] : [{ id, status, dailyBudget, isLegacyAdvantage, startTime, stopTime }];
}
