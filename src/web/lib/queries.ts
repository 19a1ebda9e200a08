import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import type { Campaign } from '#contract/shapes.ts';
import { userApi } from '#contract/user-api.ts';
import { withClearNames } from '#core/clear-names.ts';
import { seconds } from '#core/time.ts';
import { call } from './api-client.ts';
import { hasFailed } from './has-failed.ts';

export const keys = {
  me: ['me'],
  status: ['status'],
  userStatus: ['user-status'],
  adAccounts: ['ad-accounts'],
  allCampaigns: ['campaigns'],
  campaigns: (adAccountId: string) => ['campaigns', adAccountId],
  allOutages: ['outages'],
  allHistories: ['campaign-history'],
  emailLink: (token: string) => ['email-link', token],
  deletion: (code: string) => ['data-deletion', code],
  subscription: ['subscription'],
  activation: ['activation'],
  allAdmin: ['admin'],
  adminStats: ['admin', 'stats'],
  adminActivity: ['admin', 'activity'],
  adminStatus: ['admin', 'status'],
  systemHealth: ['admin', 'system-health'],
  earlyWarning: ['admin', 'early-warning'],
} as const;

/** A change of one or many campaigns. */
export const changeKey = ['change'] as const;

export const adAccountsQuery = queryOptions({
  queryKey: keys.adAccounts,
  queryFn: async ({ signal }) => withClearNames((await call(userApi.adAccounts, { signal })).adAccounts),
  refetchInterval: seconds(30),
});

export function useAdAccounts() {
  return useQuery(adAccountsQuery);
}

export function campaignsQuery(adAccountId: string) {
  return queryOptions({
    queryKey: keys.campaigns(adAccountId),
    // What did not change is the same object already; a comparison by position would copy what has moved.
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const { campaigns, ...list } = await call(userApi.campaigns, { params: { adAccountId }, signal });
      const named = namedBefore.get(campaigns) ?? withClearNames(campaigns);
      namedBefore.set(campaigns, named);
      return { ...list, campaigns: named };
    },
  });
}

/** While a list stays the same, so does this: it is not compared, sorted and drawn again. */
const namedBefore = new WeakMap<Campaign[], Campaign[]>();

/** The campaigns of all ad accounts of the user. */
export function useAllCampaigns() {
  const query = useAdAccounts();
  const accounts = query.data ?? [];
  return useQueries({
    queries: accounts.map(({ id }) => campaignsQuery(id)),
    combine: (answers) => ({
      isPending: [query, ...answers].some((one) => one.data === undefined && !hasFailed(one)),
      lists: accounts.map((account, index) => ({
        account,
        campaigns: answers[index]?.data?.campaigns ?? [],
      })),
      /** The accounts that were never loaded. */
      unread: accounts.filter((_, index) => answers[index]?.data === undefined),
      hasNoAccounts: query.data === undefined,
      refetch: () => [query, ...answers].forEach((one) => void (one.isError && one.refetch())),
      isFetching: [query, ...answers].some((one) => one.isFetching),
    }),
  });
}
