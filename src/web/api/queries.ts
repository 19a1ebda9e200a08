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
import { peoplesApi } from '#contract/peoples-api.ts';
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
  sessions: ['sessions'],
  allDeletions: ['data-deletion'],
  deletion: (code: string) => ['data-deletion', code],
  subscription: ['subscription'],
  activation: ['activation'],
  allAdmin: ['admin'],
  adminStats: ['admin', 'stats'],
  adminActivity: ['admin', 'activity'],
  adminStatus: ['admin', 'status'],
  adminProblems: ['admin', 'problems'],
  adminHeld: ['admin', 'held'],
} as const;

const every = {
  /** Meta's permission may lapse while the page is open. */
  me: minutes(10),
  status: seconds(30),
  campaigns: seconds(15),
  userStatus: seconds(15),
  adAccounts: seconds(30),
  /** Campaigns and what is scheduled, while something is going on that we are not told of. */
  news: seconds(5),
  newsBesides: seconds(15),
  /** In which an old list has usually been read again. What comes of it is told as well, but only if it is another one. */
  moment: seconds(1),
};

function everyNews(): number {
  return isLive() ? every.newsBesides : every.news;
}

/** Refusals that can only be met when the person is not who the page takes them for. */
const ABOUT_PERSON: readonly RefusalCode[] = ['TOKEN_EXPIRED', 'ADMIN_REQUIRED', 'ACCOUNT_LEAVING'];

/** Refusals that can only be met when the subscription is not what the page takes it for. */
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
    // Whatever the browser thinks of the network: what cannot be done now fails now, and is not done unasked later.
    defaultOptions: {
      queries: { staleTime: seconds(5), retry: mayHelpToRetry, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  // Without a connection the last good word on the status is none; with one again all that is shown is read anew.
  onConnectionChange(() => {
    void client.invalidateQueries(isConnected() ? {} : { queryKey: keys.status });
  });
  function hearOfChange(error: Error): void {
    if (ABOUT_PERSON.some((code) => isRefusal(error, code)))
      void client.invalidateQueries({ queryKey: keys.me });
    if (ABOUT_BILLING.some((code) => isRefusal(error, code))) {
      void client.invalidateQueries({ queryKey: keys.subscription });
    }
  }
  return client;
}

/** A refusal stays a refusal; a network or a server that is just restarting may not. */
function mayHelpToRetry(failures: number, error: Error): boolean {
  return failures < 2 && (!(error instanceof CallError) || error.status >= 500);
}

/** What is anybody's to see stays; all else was about the person who has gone. */
export function forgetPerson(client: QueryClient): void {
  const [anybodys] = keys.allDeletions;
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== anybodys });
  client.getMutationCache().clear();
}

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async () => (await call(peoplesApi.me)).user,
  refetchInterval: every.me,
});

/** A changed level means changed campaigns: what hangs on it is read again at once. */
const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<PlatformStatus>(keys.status);
    const status = await call(peoplesApi.status);
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

/** A resume that was scheduled or cancelled means a changed level, which the page may not have heard of yet. */
const userStatusQuery = queryOptions({
  queryKey: keys.userStatus,
  queryFn: async ({ client }) => {
    const before = client.getQueryData<UserStatus>(keys.userStatus);
    const { status } = await call(peoplesApi.userStatus);
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
  queryFn: async () => (await call(peoplesApi.adAccounts)).adAccounts,
  refetchInterval: every.adAccounts,
});

/** `isUnreachable`: our own server did not send it. */
export type ShownStatus = PlatformStatus & { isUnreachable?: true };

/** The platform's status; null until it is first known. A failed call is UNKNOWN, never the last good word. */
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

export function useAdAccounts() {
  return useQuery(adAccountsQuery);
}

/** A campaign that is held or given back means a changed level, too. */
function campaignsQuery(adAccountId: string) {
  const queryKey = keys.campaigns(adAccountId);
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const before = client.getQueryData<Campaign[]>(queryKey);
      const known = client.getQueryData<ListState>(keys.listState(adAccountId));
      const answer = await call(peoplesApi.campaigns, { params: { adAccountId } });
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

/** What is known of a list besides what is in it. */
interface ListState {
  lastKnown: LastKnown | null;
  isBeingRead: boolean;
  /** It was so the last time, too. */
  isStillBeingRead: boolean;
}

export function useCampaigns(adAccountId: string) {
  const client = useQueryClient();
  const status = usePlatformStatus();
  const { data: person } = useUserStatus();
  return useQuery({
    ...campaignsQuery(adAccountId),
    refetchInterval: ({ state }) => {
      const isWaiting = person != null && person.resumeAt !== null;
      const hasNews = isDisrupted(status) || isWaiting || countHeld(state.data ?? []) > 0;
      const known = client.getQueryData<ListState>(keys.listState(adAccountId));
      if (known?.isBeingRead === true && state.status !== 'error')
        return known.isStillBeingRead ? every.news : every.moment;
      return hasNews ? everyNews() : every.campaigns;
    },
  });
}

/** Since when there has been nothing newer than the list that is shown; falsy: it is new. */
export function useLastKnown(adAccountId: string) {
  return useQuery<ListState>({ queryKey: keys.listState(adAccountId), enabled: false }).data?.lastKnown;
}

/** How many campaigns SmartPause holds in all of the person's ad accounts, as far as that is known. */
export function useHeldCount(): number {
  const { data: accounts = [] } = useAdAccounts();
  return useQueries({
    queries: accounts.map(({ id }) => ({ ...campaignsQuery(id), refetchInterval: every.campaigns })),
    combine: (lists) => lists.reduce((sum, { data = [] }) => sum + countHeld(data), 0),
  });
}

function countHeld(campaigns: readonly Campaign[]): number {
  return campaigns.filter(({ held }) => held === true).length;
}

/** Writes what the server has just confirmed into the list, by campaign, and lets no answer from before overwrite it. */
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

/** What has been changed is read again, with what hangs on it. */
export function readListAgain(client: QueryClient, adAccountId: string): void {
  void client.invalidateQueries({ queryKey: keys.campaigns(adAccountId) });
  void client.invalidateQueries({ queryKey: keys.userStatus });
}

function useCampaignUpdate(adAccountId: string, campaignId: string) {
  const client = useQueryClient();
  return async (change: Partial<Campaign>) => {
    await writeIntoList(client, adAccountId, new Map([[campaignId, change]]));
    readListAgain(client, adAccountId);
  };
}

export function useSetSmartPause(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (enabled: boolean) =>
      call(peoplesApi.setSmartPause, { params: { adAccountId, campaignId }, body: { enabled } }),
    onSuccess: (answer, enabled) => update({ smartPauseSetting: settingAfter(answer, enabled) }),
  });
}

/** As the server says it, or else as it was asked for. */
export function settingAfter(
  { smartPauseSetting }: ReplyOf<typeof peoplesApi.setSmartPause>,
  enabled: boolean,
): Campaign['smartPauseSetting'] {
  return smartPauseSetting ?? (enabled ? 'ON' : 'OFF');
}

export function usePauseOrResume(adAccountId: string, campaignId: string) {
  const update = useCampaignUpdate(adAccountId, campaignId);
  return useMutation({
    mutationFn: (act: 'pause' | 'resume') =>
      call(act === 'pause' ? peoplesApi.pauseCampaign : peoplesApi.resumeCampaign, {
        params: { id: campaignId },
      }),
    onSuccess: ({ status }) => update({ status }),
  });
}

export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SettingsBody) => call(peoplesApi.saveSettings, { body: settings }),
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
      replaceToken(call(peoplesApi.initialize, { body: settings }), updateToken),
    onSuccess: () => {
      client.setQueryData(meQuery.queryKey, (user) => user && { ...user, isInitialized: true });
      void client.invalidateQueries();
    },
  });
}
