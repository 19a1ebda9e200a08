import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { userApi } from '#contract/user-api.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/errors.ts';
import type { Campaign, LastKnown, PlatformStatus, SettingsBody, UserStatus } from '#contract/shapes.ts';
import { minutes, seconds } from '#core/time.ts';
import { CallError, call, isRefusal } from './call.ts';
import { isConnected, onConnectionChange } from './connection.ts';
import { isLive } from './live/stream.ts';
import { replaceToken } from './token.ts';

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
  /** An old list has usually been refreshed by then. The stream reports only a list that differs. */
  moment: seconds(1),
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
  // Without a connection the status is unknown; when it returns, all active queries are read again.
  onConnectionChange(() => {
    void client.invalidateQueries(isConnected() ? {} : { queryKey: keys.status });
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
  const [publicData] = keys.allDeletions;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== publicData });
  client.getMutationCache().clear();
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async () => (await call(userApi.me)).user,
  refetchInterval: every.me,
});

/** A changed level changes campaigns, so the dependent queries are read again at once. */
const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<PlatformStatus>(keys.status);
    const status = await call(userApi.status);
    if (before !== undefined && before.status !== status.status) {
      void client.invalidateQueries({ queryKey: keys.allCampaigns });
      void client.invalidateQueries({ queryKey: keys.userStatus });
    }
    return status;
  },
  refetchInterval: every.status,
  refetchIntervalInBackground: true,
  retry: false,
});

/** A scheduled or cancelled resume means a changed level, which the page may not have read yet. */
const userStatusQuery = queryOptions({
  queryKey: keys.userStatus,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<UserStatus>(keys.userStatus);
    const { status } = await call(userApi.userStatus);
    if (before !== undefined && before.resumeAt !== status.resumeAt) {
      void client.invalidateQueries({ queryKey: keys.status });
      void client.invalidateQueries({ queryKey: keys.allCampaigns });
    }
    return status;
  },
  refetchInterval: ({ state }) =>
    state.data != null && state.data.resumeAt !== null ? everyNews() : every.userStatus,
});

const adAccountsQuery = queryOptions({
  queryKey: keys.adAccounts,
  queryFn: async () => (await call(userApi.adAccounts)).adAccounts,
  refetchInterval: every.adAccounts,
});

/** `isUnreachable`: our own server did not send it. */
export type ShownStatus = PlatformStatus & { isUnreachable?: true };

/** The platform's status; null until the first response. A failed call is UNKNOWN, never the last status. */
export function usePlatformStatus(enabled = true): ShownStatus | null {
  const { data, isError } = useQuery({ ...statusQuery, enabled });
  if (!enabled) return null;
  if (isError) {
    const checkedAt = data?.checkedAt;
    const unknown = { status: 'UNKNOWN', message: 'Unable to fetch status', isUnreachable: true } as const;
    return { ...unknown, ...(checkedAt != null && { checkedAt }) };
  }
  return data ?? null;
}

export function useUserStatus() {
  const status = usePlatformStatus();
  return useQuery({ ...userStatusQuery, ...(isDisrupted(status) && { refetchInterval: everyNews }) });
}

function isDisrupted(status: PlatformStatus | null): boolean {
  return status !== null && status.status !== 'UP';
}

export function useAdAccounts(enabled = true) {
  return useQuery({ ...adAccountsQuery, enabled });
}

/** A campaign that SmartPause paused or resumed means a changed level, too. */
function campaignsQuery(adAccountId: string) {
  const queryKey = keys.campaigns(adAccountId);
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const before = client.getQueryData<Campaign[]>(queryKey);
      const known = client.getQueryData<ListState>(keys.listState(adAccountId));
      const answer = await call(userApi.campaigns, { params: { adAccountId } });
      const { campaigns, lastKnown = null, isBeingRead = false } = answer;
      const isStillBeingRead = isBeingRead && known?.isBeingRead === true;
      client.setQueryData<ListState>(keys.listState(adAccountId), {
        lastKnown,
        isBeingRead,
        isStillBeingRead,
      });
      if (before !== undefined && countHeld(before) !== countHeld(campaigns)) {
        void client.invalidateQueries({ queryKey: keys.status });
        void client.invalidateQueries({ queryKey: keys.userStatus });
      }
      return campaigns;
    },
  });
}

/** The state of a list besides its campaigns. */
interface ListState {
  lastKnown: LastKnown | null;
  isBeingRead: boolean;
  /** The previous response said so, too. */
  isStillBeingRead: boolean;
}

export function useCampaigns(adAccountId: string) {
  const client = useQueryClient();
  const status = usePlatformStatus();
  const { data: user } = useUserStatus();
  return useQuery({
    ...campaignsQuery(adAccountId),
    refetchInterval: ({ state }) => {
      const isWaiting = user != null && user.resumeAt !== null;
      const hasNews = isDisrupted(status) || isWaiting || countHeld(state.data ?? []) > 0;
      const known = client.getQueryData<ListState>(keys.listState(adAccountId));
      if (known?.isBeingRead === true && state.status !== 'error')
        return known.isStillBeingRead ? every.news : every.moment;
      return hasNews ? everyNews() : every.campaigns;
    },
  });
}

/** The time of the shown list, while a newer one cannot be read; falsy: the list is new. */
export function useLastKnown(adAccountId: string) {
  return useQuery<ListState>({ queryKey: keys.listState(adAccountId), enabled: false }).data?.lastKnown;
}

/** The number of campaigns paused by SmartPause in all ad accounts of the user, as far as known. */
export function useHeldCount(): number {
  const { data: accounts = [] } = useAdAccounts();
  return useQueries({
    queries: accounts.map(({ id }) => ({ ...campaignsQuery(id), refetchInterval: every.campaigns })),
    combine: (lists) => lists.reduce((sum, { data = [] }) => sum + countHeld(data), 0),
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
      lists: (accounts ?? []).map((account, index) => ({ account, campaigns: answers[index]?.data ?? [] })),
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
    return answer?.status === 'fulfilled' ? answer.value.map((campaign) => ({ account, campaign })) : [];
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
  const queryKey = keys.campaigns(adAccountId);
  await client.cancelQueries({ queryKey });
  client.setQueryData<Campaign[]>(queryKey, (campaigns) =>
    campaigns?.map((one) => {
      const change = changes.get(one.id);
      return change === undefined ? one : { ...one, ...change };
    }),
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
    mutationFn: (settings: SettingsBody) =>
      replaceToken(call(userApi.initialize, { body: settings }), updateToken),
    onSuccess: (_, settings) => {
      client.setQueryData(userStatusQuery.queryKey, (before) => before && { ...before, ...settings });
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
  });
}
