import type { Campaign } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import type { Acts } from '../list/campaign-row.tsx';

type ToggleResult = 'change' | 'unchanged' | 'ended' | 'not_allowed';

/** Groups the campaigns by what turning SmartPause on or off does to each. */
export function byToggleResult(
  campaigns: readonly Campaign[],
  enabled: boolean,
): Record<ToggleResult, Campaign[]> {
  const groups: Record<ToggleResult, Campaign[]> = { change: [], unchanged: [], ended: [], not_allowed: [] };
  for (const campaign of campaigns) groups[toggleResult(campaign, enabled)].push(campaign);
  return groups;
}

/** SmartPause can always be turned off, also where it cannot be turned on again. */
function toggleResult(campaign: Campaign, enabled: boolean): ToggleResult {
  if ((campaign.smartPauseSetting === 'ON') === enabled) return 'unchanged';
  if (enabled && campaign.isLegacyAdvantage === true) return 'not_allowed';
  if (enabled && hasEnded(campaign.status)) return 'ended';
  return 'change';
}

export function mayTurn(acts: Acts, enabled: boolean): boolean {
  return acts === 'all' || (acts === 'giving_back' && !enabled);
}
