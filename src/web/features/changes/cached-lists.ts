import type { QueryClient } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { campaignsQuery, keys } from '../../lib/queries.ts';
import type { CampaignList } from '../campaigns/api.ts';
import type { Target } from './actions.ts';

/** Reads the lists of these ad accounts now; those that cannot be read are unread. */
export async function readCampaigns(client: QueryClient, accounts: readonly Target['account'][]) {
  const read = ({ id }: Target['account']) => client.query({ ...campaignsQuery(id), staleTime: 0 });
  const answers = await Promise.allSettled(accounts.map(read));
  const targets = accounts.flatMap((account, index): Target[] => {
    const answer = answers[index];
    if (answer?.status !== 'fulfilled') return [];
    return answer.value.campaigns.map((campaign) => ({ account, campaign }));
  });
  return { targets, unread: accounts.filter((_, index) => answers[index]?.status === 'rejected') };
}

/** Shows confirmed changes in the lists, and cancels reads that began before them. */
export async function changeInLists(
  client: QueryClient,
  changed: ReadonlyMap<string, Partial<Campaign>>,
): Promise<void> {
  await client.cancelQueries({ queryKey: keys.allCampaigns });
  client.setQueriesData<CampaignList>({ queryKey: keys.allCampaigns }, (list) => {
    // The other rows need not render again.
    const changeOne = (one: Campaign) => (changed.has(one.id) ? { ...one, ...changed.get(one.id) } : one);
    return list && { ...list, campaigns: list.campaigns.map(changeOne) };
  });
}

/** The notice of what a user does with one campaign. */
export const noticeOf = ({ id }: Pick<Campaign, 'id'>): string => `campaign ${id}`;

/** After a change by the user: reads the lists, and what depends on them, again; after a refusal also the user. */
export function readAgain(client: QueryClient, wasRefused: boolean): void {
  const lists = [keys.allCampaigns, keys.userStatus, keys.adAccounts];
  const user = wasRefused ? [keys.me, keys.subscription] : [];
  for (const queryKey of [...lists, ...user]) void client.invalidateQueries({ queryKey });
}
