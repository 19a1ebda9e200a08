import type { AdAccount, Campaign } from '#contract/shapes.ts';
import { counted } from '#core/labels.ts';
import { isDelivered } from '../../../text/campaign-view.ts';

export interface Target {
  account: AdAccount;
  campaign: Campaign;
}

export interface AccountCampaigns {
  account: AdAccount;
  campaigns: readonly Campaign[];
}

/** The running campaigns of all ad accounts that SmartPause can protect and does not protect yet. */
export function unprotectedActive(lists: readonly AccountCampaigns[]): Target[] {
  return lists.flatMap(({ account, campaigns }) =>
    campaigns.filter(mayProtect).map((campaign) => ({ account, campaign })),
  );
}

function mayProtect(campaign: Campaign): boolean {
  const { smartPauseSetting, isLegacyAdvantage } = campaign;
  return isDelivered(campaign) && smartPauseSetting !== 'ON' && isLegacyAdvantage !== true;
}

/** '12 campaigns in 2 ad accounts'. */
export function countLabel(targets: readonly Target[]): string {
  const accounts = new Set(targets.map(({ account }) => account.id)).size;
  return `${counted(targets.length, 'campaign')} in ${counted(accounts, 'ad account')}`;
}
