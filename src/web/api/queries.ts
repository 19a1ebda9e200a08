import {
  MutationCache,
  QueryCache,
  QueryClient,
  onlineManager,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import type { Campaign, PlatformStatus, SettingsBody, UserStatus } from '#contract/shapes.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call, isRefusal } from './call.ts';
import { hasFailed } from './has-failed.ts';
import { isLive } from './live-stream.ts';

export const keys = {
  me: ['me'],
  status: ['status'],
  userStatus: ['user-status'],
  adAccounts: ['ad-accounts'],
  allCampaigns: ['campaigns'],
  campaigns: (adAccountId: string) => ['campaigns', adAccountId],
  listState: (adAccountId: string) => ['list-state', adAccountId],
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

export const every = {
  /** Meta's permission may expire while the page is open. */
  me: minutes(10),
  status: seconds(30),
  campaigns: seconds(15),
  userStatus: seconds(15),
  adAccounts: seconds(30),
  /** For campaigns and scheduled resumes during an outage, while no stream reports changes. */
  news: seconds(5),
  newsBesides: seconds(15),
  /** For a list that the server is reading from Meta. The stream reports only a list that differs. */
  refreshing: seconds(2),
  /** For the status after a failed call. */
  failing: seconds(5),
};

function everyNews(): number {
  return isLive() ? every.newsBesides : every.news;
}

/** Refusals that mean the user has changed since the page read it. */
const ABOUT_USER: readonly RefusalCode[] = ['TOKEN_EXPIRED', 'ADMIN_REQUIRED', 'ACCOUNT_LEAVING'];

/** Refusals that mean the subscription has changed since the page read it. */
const ABOUT_BILLING: readonly RefusalCode[] = [
  'SUBSCRIPTION_REQUIRED',
  'SUBSCRIPTION_ACTIVE',
  'ALREADY_SUBSCRIBED',
  'PAYMENT_DUE',
  'NO_BILLING',
];

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        console.warn(`Could not load ${query.queryKey.join(' ')}:`, error.message);
        hearOfChange(error);
      },
    }),
    mutationCache: new MutationCache({ onError: hearOfChange }),
    // Calls fail at once without a network, so no action is repeated later without the user.
    defaultOptions: {
      queries: { staleTime: seconds(5), retry: mayHelpToRetry, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  // Without a network the status is unknown; when it returns, all active queries are read again.
  onlineManager.subscribe((isOnline) => {
    void client.invalidateQueries(isOnline ? {} : { queryKey: keys.status });
  });
  function hearOfChange(error: Error): void {
    if (ABOUT_USER.some((code) => isRefusal(error, code)))
      void client.invalidateQueries({ queryKey: keys.me });
    if (ABOUT_BILLING.some((code) => isRefusal(error, code))) {
      void client.invalidateQueries({ queryKey: keys.subscription });
    }
  }
  return client;
}

/** A retry can help after a network error or a server restart, not after a refusal. */
function mayHelpToRetry(failures: number, error: Error): boolean {
  return failures < 2 && (!(error instanceof CallError) || error.status >= 500);
}

/** Keeps public data and removes the data of the user who has logged out. */
export function forgetUser(client: QueryClient): void {
  client.removeQueries({ predicate: ({ meta }) => meta?.['isPublic'] !== true });
  client.getMutationCache().clear();
}

/** Without this call the user is logged out. One without a response is first retried for a minute. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async ({ signal }) => (await call(userApi.me, { signal })).user,
  refetchInterval: every.me,
  retry: (failures, error) => (error instanceof CallError ? mayHelpToRetry(failures, error) : failures < 6),
});

const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: ({ signal }) => call(userApi.status, { signal }),
  refetchInterval: ({ state }) => (state.status === 'error' ? every.failing : every.status),
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
  refetchInterval: every.adAccounts,
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
      isDisrupted || hasScheduledResume(state.data) ? everyNews() : every.userStatus,
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
      if (data?.isBeingRead === true) return every.refreshing;
      return isDisrupted || hasResume || countHeld(data?.campaigns ?? []) > 0 ? everyNews() : every.campaigns;
    },
  });
}

/** The time of the shown list, while a newer one cannot be read; falsy: the list is new. */
export function useLastKnown(adAccountId: string) {
  return useQuery({ ...campaignsQuery(adAccountId), enabled: false, select: ({ lastKnown }) => lastKnown })
    .data;
}

/** The number of campaigns paused by SmartPause in all ad accounts of the user, as far as known. */
export function useHeldCount(): number {
  const { data: accounts = [] } = useAdAccounts();
  return useQueries({
    queries: accounts.map(({ id }) => ({ ...campaignsQuery(id), refetchInterval: every.campaigns })),
    combine: (lists) => lists.reduce((sum, { data }) => sum + countHeld(data?.campaigns ?? []), 0),
  });
}

/** The campaigns of all ad accounts of the user. */
export function useAllCampaigns(enabled = true) {
  const { data: known } = useAdAccounts(enabled);
  const accounts = enabled ? known : [];
  return useQueries({
    queries: (accounts ?? []).map(({ id }) => campaignsQuery(id)),
    combine: (answers) => ({
      isPending: accounts === undefined || answers.some(({ isPending }) => isPending),
      isError: answers.some(({ isError }) => isError),
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

function countHeld(campaigns: readonly Campaign[]): number {
  return campaigns.filter(({ held }) => held === true).length;
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

/** The status that Meta has not confirmed yet. */
function pendingOf(status: string): 'ACTIVE' | 'PAUSED' {
  return status === 'PAUSED' ? 'PAUSED' : 'ACTIVE';
}

export function usePauseOrResume(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (act: 'pause' | 'resume') =>
      call(act === 'pause' ? userApi.pauseCampaign : userApi.resumeCampaign, {
        params: { id: campaignId },
      }),
    onSuccess: ({ status, pending }) =>
      update(pending === true ? { pendingStatus: pendingOf(status) } : { status, pendingStatus: undefined }),
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
