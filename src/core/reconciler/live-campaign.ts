import type { PlatformCampaign } from '../platform.ts';
import type { ActualStatus } from './hold.ts';
import type { LiveCampaign } from './world.ts';

const LISTED: readonly ActualStatus[] = ['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED'];

/** A listed campaign as the core sees it. One with an unknown status is left out: no information. */
export function toLive(campaign: PlatformCampaign): LiveCampaign[] {
  const { id, dailyBudget, isLegacyAdvantage, startTime, stopTime } = campaign;
  const status = LISTED.find((one) => one === campaign.status);
  return status === undefined ? [] : [{ id, status, dailyBudget, isLegacyAdvantage, startTime, stopTime }];
}
