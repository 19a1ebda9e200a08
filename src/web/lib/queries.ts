import type { QueryClient } from '@tanstack/react-query';
import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Campaign, PlatformStatus, SettingsBody, UserStatus } from '#contract/shapes.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call } from './api-client.ts';
import { hasFailed } from './has-failed.ts';
import { isLive } from './live-stream.ts';

export const keys = {
  me: ['me'],
  status: ['status'],
  userStatus: ['user-status'],
  adAccounts: ['ad-accounts'],
  allCampaigns: ['campaigns'],
  campaigns: (adAccountId: string) => ['campaigns', adAccountId],
  allOutages: ['outages'],
  allHistories: ['campaign-history'],
  allDeletions: ['data-deletion'],
  deletion: (code: string) => ['data-deletion', code],
  subscription: ['subscription'],
  activation: ['activation'],
  allAdmin: ['admin'],
  adminStats: ['admin', 'stats'],
  adminActivity: ['admin', 'activity'],
  adminStatus: ['admin', 'status'],
  systemHealth: ['admin', 'system-health'],
} as const;

/** A change of many campaigns. */
export const bulkChangeKey = ['bulk-change'] as const;

const POLL_MS = {
  /** Meta's permission may expire while the page is open. */
  me: minutes(10),
  status: seconds(30),
  campaigns: seconds(15),
  userStatus: seconds(15),
  adAccounts: seconds(30),
  outage: seconds(5),
  outageWithLiveUpdates: seconds(15),
  /** For a list that the server is reading from Meta. Live updates report only a list that differs. */
  refreshing: seconds(2),
  /** For the status after a failed call. */
  failing: seconds(5),
};

/** For what changes during an outage. */
function outagePollMs(): number {
  return isLive() ? POLL_MS.outageWithLiveUpdates : POLL_MS.outage;
}

/** Without this call the user is logged out. One without a response is first retried for a minute. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => (await call(userApi.me, { signal })).user,
  refetchInterval: POLL_MS.me,
  retry: (failures, error) =>
    error instanceof CallError ? failures < 2 && error.status >= 500 : failures < 6,
});

const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: ({ signal }) => call(userApi.status, { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? POLL_MS.failing : POLL_MS.status),
  refetchIntervalInBackground: true,
  retry: false,
});

const userStatusQuery = queryOptions({
  queryKey: keys.userStatus,
  queryFn: async ({ signal }) => (await call(userApi.userStatus, { signal })).status,
});

const adAccountsQuery = queryOptions({
  queryKey: keys.adAccounts,
  queryFn: async ({ signal }) => (await call(userApi.adAccounts, { signal })).adAccounts,
  refetchInterval: POLL_MS.adAccounts,
});

/** `isUnreachable`: our own server did not send it. */
export type ShownStatus = PlatformStatus & { isUnreachable?: true };

/** The platform's status; null until the first response. A failed call is UNKNOWN, never the last status. */
export function usePlatformStatus(enabled = true): ShownStatus | null {
  const query = useQuery({ ...statusQuery, enabled });
  if (!enabled) return null;
  if (!hasFailed(query)) return query.data ?? null;
  const checkedAt = query.data?.checkedAt;
  const unknown = { status: 'UNKNOWN', message: 'Unable to fetch status', isUnreachable: true } as const;
  return { ...unknown, ...(checkedAt != null && { checkedAt }) };
}

export function useUserStatus() {
  const isDisrupted = useIsDisrupted();
  return useQuery({
    ...userStatusQuery,
    refetchInterval: ({ state }) =>
      isDisrupted || hasScheduledResume(state.data) ? outagePollMs() : POLL_MS.userStatus,
  });
}

function useIsDisrupted(): boolean {
  const status = usePlatformStatus();
  return status !== null && status.status !== 'UP';
}

function hasScheduledResume(status: UserStatus | undefined): boolean {
  return status !== undefined && status.resumeAt !== null;
}

export function useAdAccounts(enabled = true) {
  return useQuery({ ...adAccountsQuery, enabled });
}

export function campaignsQuery(adAccountId: string) {
  return queryOptions({
    queryKey: keys.campaigns(adAccountId),
    queryFn: ({ signal }) => call(userApi.campaigns, { params: { adAccountId }, signal }),
  });
}

export function useCampaigns(adAccountId: string) {
  const isDisrupted = useIsDisrupted();
  const hasResume = hasScheduledResume(useUserStatus().data);
  return useQuery({
    ...campaignsQuery(adAccountId),
    select: ({ campaigns }) => campaigns,
    refetchInterval: ({ state: { data } }) => {
      if (data?.isBeingRead === true) return POLL_MS.refreshing;
      return isDisrupted || hasResume || data?.campaigns.some(({ held }) => held === true) === true
        ? outagePollMs()
        : POLL_MS.campaigns;
    },
  });
}

/** The time of the shown list, while a newer one cannot be read; falsy: the list is new. */
export function useLastKnown(adAccountId: string) {
  return useQuery({ ...campaignsQuery(adAccountId), enabled: false, select: ({ lastKnown }) => lastKnown })
    .data;
}

/** The campaigns of all ad accounts of the user. */
export function useAllCampaigns(enabled = true) {
  const query = useAdAccounts(enabled);
  const accounts = enabled ? query.data : [];
  return useQueries({
    queries: (accounts ?? []).map(({ id }) => campaignsQuery(id)),
    combine: (answers) => ({
      isPending: [query, ...answers].some((one) => one.data === undefined && !hasFailed(one)),
      isError: [query, ...answers].some(hasFailed),
      lists: (accounts ?? []).map((account, index) => ({
        account,
        campaigns: answers[index]?.data?.campaigns ?? [],
      })),
    }),
  });
}

/** Reads the lists of these ad accounts; those that cannot be read are unread. */
export async function readCampaigns<Account extends { id: string }>(
  client: QueryClient,
  accounts: readonly Account[],
) {
  const answers = await Promise.allSettled(accounts.map(({ id }) => client.query(campaignsQuery(id))));
  const campaigns = accounts.flatMap((account, index) => {
    const answer = answers[index];
    return answer?.status === 'fulfilled'
      ? answer.value.campaigns.map((campaign) => ({ account, campaign }))
      : [];
  });
  return { campaigns, unread: accounts.filter((_, index) => answers[index]?.status === 'rejected') };
}

/** Writes confirmed changes into the list by campaign, and cancels reads that began before. */
export async function writeIntoList(
  client: QueryClient,
  adAccountId: string,
  changes: ReadonlyMap<string, Partial<Campaign>>,
): Promise<void> {
  const { queryKey } = campaignsQuery(adAccountId);
  await client.cancelQueries({ queryKey });
  client.setQueryData(
    queryKey,
    (list) =>
      list && { ...list, campaigns: list.campaigns.map((one) => ({ ...one, ...changes.get(one.id) })) },
  );
}

/**
 * After a change by the user: reads the list of this account, or all lists, and what depends on them again.
 * @returns once the lists have been read
 */
export async function readListAgain(client: QueryClient, adAccountId?: string): Promise<void> {
  void client.invalidateQueries({ queryKey: keys.userStatus });
  void client.invalidateQueries({ queryKey: keys.adAccounts });
  const queryKey = adAccountId === undefined ? keys.allCampaigns : keys.campaigns(adAccountId);
  await client.invalidateQueries({ queryKey });
}

function useCampaignUpdate(adAccountId: string, campaignId: string) {
  const client = useQueryClient();
  return async (change: Partial<Campaign>) => {
    await writeIntoList(client, adAccountId, new Map([[campaignId, change]]));
    void readListAgain(client, adAccountId);
  };
}

export function useSetSmartPause(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (enabled: boolean) =>
      call(userApi.setSmartPause, { params: { adAccountId, campaignId }, body: { enabled } }),
    onSuccess: (answer, enabled) => update({ smartPauseSetting: settingAfter(answer, enabled) }),
  });
}

/** The setting that the server returned, or else the requested one. */
export function settingAfter(
  { smartPauseSetting }: ReplyOf<typeof userApi.setSmartPause>,
  enabled: boolean,
): Campaign['smartPauseSetting'] {
  return smartPauseSetting ?? (enabled ? 'ON' : 'OFF');
}

export function usePauseOrResume(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (act: 'pause' | 'resume') =>
      call(act === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign, {
        params: { id: campaignId },
      }),
    onSuccess: ({ status, pending }) =>
      update(
        pending === true
          ? { pendingStatus: status === 'PAUSED' ? 'PAUSED' : 'ACTIVE' }
          : { status, pendingStatus: undefined },
      ),
  });
}

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsBody) => call(userApi.saveSettings, { body: settings }),
    onSuccess: ({ status }, settings) =>
      client.setQueryData(
        userStatusQuery.queryKey,
        (before) => status ?? (before && { ...before, ...settings }),
      ),
  });
}

/** @param updateToken stores the token that the server issues for the initialized account */
export function useInitialize(updateToken: (token: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsBody) => call(userApi.initialize, { body: settings }),
    onSuccess: ({ token }, settings) => {
      if (token !== undefined) updateToken(token);
      client.setQueryData(userStatusQuery.queryKey, (before) => before && { ...before, ...settings });
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
  });
}
