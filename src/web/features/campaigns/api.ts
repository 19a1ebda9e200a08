import type { QueryClient } from '@tanstack/react-query';
import { useQueries } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import type { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { LISTS_PER_S } from '../../lib/live-updates.ts';
import { campaignsQuery, keys } from '../../lib/queries.ts';
import { hasScheduledResume, outagePollMs, useIsDisrupted, useUserStatus } from '../status/api.ts';
import type { Target } from './changes/actions.ts';

export type CampaignList = ReplyOf<typeof userApi.campaigns>;

/** The campaigns of an ad account, in the list of one or several. */
export interface AccountList {
  account: AdAccount;
  campaigns: readonly Campaign[];
}

/** One query for each ad account, in their order. */
export function useCampaignLists(accounts: readonly AdAccount[]) {
  const isDisrupted = useIsDisrupted();
  const hasResume = hasScheduledResume(useUserStatus().data);
  const leastMs = seconds(accounts.length / LISTS_PER_S);
  return useQueries({
    queries: accounts.map(({ id }) => ({
      ...campaignsQuery(id),
      refetchInterval: ({ state: { data } }: { state: { data: CampaignList | undefined } }) => {
        // Live updates report only a list that differs.
        if (data?.isBeingRead === true) return Math.max(leastMs, seconds(2));
        return isDisrupted || hasResume || data?.campaigns.some(({ held }) => held === true) === true
          ? Math.max(leastMs, outagePollMs())
          : Math.max(leastMs, seconds(15));
      },
    })),
  });
}

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
