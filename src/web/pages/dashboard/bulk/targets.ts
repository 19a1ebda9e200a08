import type { Campaign } from '#contract/shapes.ts';
import type { BulkAction } from './actions.ts';
import { isManual } from './actions.ts';

/** What an action would do to a campaign: change it, or skip it for this reason. */
export type Effect = 'change' | 'unchanged' | 'smartpause_on' | 'ended' | 'not_allowed';

export function byEffect(campaigns: readonly Campaign[], action: BulkAction): Record<Effect, Campaign[]> {
  const groups: Record<Effect, Campaign[]> = {
    ...{ change: [], unchanged: [], smartpause_on: [], ended: [], not_allowed: [] },
  };
  for (const campaign of campaigns) groups[effectOf(campaign, action)].push(campaign);
  return groups;
}

function effectOf(campaign: Campaign, action: BulkAction): Effect {
  if (isManual(action)) return manualEffect(campaign, action);
  const isOn = action === 'on';
  if ((campaign.smartPauseSetting === 'ON') === isOn) return 'unchanged';
  // SmartPause can always be turned off, also where it cannot be turned on again.
  if (isOn && campaign.isLegacyAdvantage === true) return 'not_allowed';
  return isOn && isOver(campaign) ? 'ended' : 'change';
}

/** Neither a status nor SmartPause changes anything about it. */
function isOver({ status, undelivered }: Campaign): boolean {
  return (status !== 'ACTIVE' && status !== 'PAUSED') || undelivered?.why === 'ended';
}

function manualEffect(campaign: Campaign, action: 'pause' | 'resume'): Effect {
  if (campaign.status === (action === 'pause' ? 'PAUSED' : 'ACTIVE')) return 'unchanged';
  if (campaign.isLegacyAdvantage === true) return 'not_allowed';
  if (isOver(campaign)) return 'ended';
  return campaign.smartPauseSetting === 'ON' ? 'smartpause_on' : 'change';
}
