import type { AdAccount, Campaign, UserStatus } from '#contract/shapes.ts';
import { hasEnded } from '#core/campaign.ts';
import { figure } from '#core/labels.ts';

export interface AccountCounts {
  /** With SmartPause on; undefined: unknown. */
  protectedCampaigns?: number | undefined;
  /** Paused by SmartPause. */
  paused: number;
}

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

export function countsOf(
  { id, protectedCampaigns }: AdAccount,
  heldAccounts: UserStatus['heldAccounts'] = [],
): AccountCounts {
  return { protectedCampaigns, paused: heldAccounts.find((one) => one.id === id)?.count ?? 0 };
}

/** '12 protected', '3 paused'; empty: unknown. */
export function countsCopy({ protectedCampaigns, paused }: AccountCounts): string[] {
  const copy: string[] = [];
  if (protectedCampaigns !== undefined)
    copy.push(`${protectedCampaigns === 0 ? 'None' : figure(protectedCampaigns)} protected`);
  if (paused > 0) copy.push(`${figure(paused)} paused`);
  return copy;
}

/** Every word of the search is in the name or the id. */
export function findAccounts(accounts: readonly AdAccount[], search: string): readonly AdAccount[] {
  const words = search.toLowerCase().split(/\s+/);
  return accounts.filter(({ id, name }) =>
    words.every((word) => `${name} ${id}`.toLowerCase().includes(word)),
  );
}
