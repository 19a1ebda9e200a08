import type { AdAccount, Campaign, UserStatus } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import { figure } from '#core/labels.ts';

/** The counts of a list that the page has, which is newer than the counts of the server. */
export function countsIn(campaigns: readonly Campaign[]) {
  const running = campaigns.filter(
    (one) => !hasEnded(one.status) && one.undelivered === undefined && one.isLegacyAdvantage !== true,
  );
  return {
    all: running.length,
    protectedCampaigns: running.filter(({ smartPauseSetting }) => smartPauseSetting === 'ON').length,
    paused: campaigns.filter(({ held }) => held === true).length,
  };
}

/** '12 protected · 3 paused', or the id where the server sends no counts. */
export function countsLabel(
  { id, protectedCampaigns }: AdAccount,
  heldAccounts: UserStatus['heldAccounts'] = [],
): string {
  const paused = heldAccounts.find((one) => one.id === id)?.count ?? 0;
  const counts: string[] = [];
  if (protectedCampaigns !== undefined)
    counts.push(`${protectedCampaigns === 0 ? 'None' : figure(protectedCampaigns)} protected`);
  if (paused > 0) counts.push(`${figure(paused)} paused`);
  return counts.join(' · ') || id.replace(/^act_/, '');
}
