import { useQueries } from '@tanstack/react-query';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AdAccount, Campaign } from '#contract/shapes.ts';
import type { userApi } from '#contract/user-api.ts';
import { seconds } from '#core/time.ts';
import { LISTS_PER_S } from '../../lib/live-updates.ts';
import { campaignsQuery } from '../../lib/queries.ts';
import { hasScheduledResume, outagePollMs, useIsDisrupted, useUserStatus } from '../status/api.ts';

export type CampaignList = ReplyOf<typeof userApi.campaigns>;

/** The campaigns of an ad account, in the list of one or several. */
export interface AccountList {
  account: AdAccount;
  campaigns: readonly Campaign[];
}

/** One query for each ad account, in their order. */
export function useCampaignLists(accounts: readonly Pick<AdAccount, 'id'>[]) {
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
