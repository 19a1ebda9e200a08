import { useCallbackRef } from '@mantine/hooks';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts';
import { outageApi } from '#contract/outage-api.ts';
import { withClearNames } from '#core/clear-names.ts';
import { minutes, seconds } from '#core/time.ts';
import { call, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';

const EVERY = { open: seconds(15), ended: minutes(1), spend: minutes(10) };

type Cursor = string | undefined;
const FIRST_PAGE = undefined as Cursor;

interface Page {
  next: string | null;
}

const nextOf = (page: Page | null): Cursor => page?.next ?? undefined;

/** The user's outages. @param adAccountId counts only the campaigns of this account */
export function useOutages(adAccountId?: string, enabled = true) {
  return useInfiniteQuery({
    queryKey: [...keys.allOutages, 'list', adAccountId ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(outageApi.outages, { query: { cursor: pageParam, adAccountId }, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.outages[0]?.endedAt === null ? EVERY.open : EVERY.ended,
  });
}

export type OutagePageReply = ReplyOf<typeof outageApi.outage>;

export type OutageFilter = Omit<QueryOf<typeof outageApi.outage>, 'cursor'>;

/** One outage with its first campaigns; null where the server knows no such outage. */
export function useOutage(id: string, filter: OutageFilter) {
  return useQuery({
    queryKey: [...keys.allOutages, 'one', id, filter],
    queryFn: ({ signal }) =>
      isOutageId(id) ? ifSupported(readOutage(id, filter, FIRST_PAGE, signal)) : null,
    // Another filter shows the campaigns of the last one until its own are there; another outage does not.
    placeholderData: (previous, query) => (query?.queryKey[2] === id ? previous : undefined),
    refetchInterval: ({ state: { data } }) => (isRunning(data) ? EVERY.open : EVERY.ended),
  });
}

/** The campaigns of an outage after the first page. The counts tell whether one of them may have changed. */
export function useMoreCampaigns(id: string, filter: OutageFilter, first: OutagePageReply | null) {
  const read = (cursor: Cursor, signal: AbortSignal) => readOutage(id, filter, cursor, signal);
  const next = first?.next ?? null;
  const state = JSON.stringify([next, first?.outage.counts]);
  return useMore(['more-of-outage', id, filter], read, { next, state });
}

/** What the campaigns that an outage paused spent by hour; null where the server does not know it. */
export function useOutageSpend(id: string) {
  return useQuery({
    queryKey: [...keys.allOutages, 'spend', id],
    queryFn: ({ signal }) => ifSupported(call(outageApi.outageSpend, { params: { id }, signal })),
    refetchInterval: EVERY.spend,
  });
}

/** What the outages of each month kept; null where the server does not know it. */
export function useSpendMonths() {
  return useQuery({
    queryKey: [...keys.allOutages, 'months'],
    queryFn: ({ signal }) => ifSupported(call(outageApi.spendMonths, { signal })),
    refetchInterval: EVERY.spend,
  });
}

type ActivityFilter = Omit<QueryOf<typeof outageApi.activities>, 'cursor'>;
type ActivityPage = ReplyOf<typeof outageApi.activities>;

/** The newest activities, and those after them on demand; null where the server has no such list. */
export function useActivities(filter: ActivityFilter, enabled: boolean) {
  const read = (cursor: Cursor, signal: AbortSignal) =>
    call(outageApi.activities, { query: { cursor, ...filter }, signal });
  const first = useQuery({
    queryKey: [...keys.allOutages, 'activities', filter],
    queryFn: async ({ signal, client, queryKey }) =>
      withFormer(await read(FIRST_PAGE, signal), client.getQueryData<ActivityPage>(queryKey)),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY.open,
    enabled,
  });
  const next = first.isPlaceholderData ? null : (first.data?.next ?? null);
  return { first, more: useMore(['more-activities', filter], read, { next, state: next }) };
}

/** Keeps what new entries have pushed off the first page, or it would be between this page and the second. */
export function withFormer(page: ActivityPage, former: ActivityPage | undefined): ActivityPage {
  const last = page.activities.at(-1)?.id;
  const known = former?.activities.findIndex(({ id }) => id === last) ?? -1;
  if (former === undefined || known === -1) return page;
  return { activities: [...page.activities, ...former.activities.slice(known + 1)], next: former.next };
}

interface After {
  /** Where the second page begins; null: there is none. */
  next: string | null;
  /** Of the first page. When it differs, the others may have changed, too. */
  state: string | null;
}

/** The pages after the first one, on demand. They are read again a while after the first one has changed. */
function useMore<P extends Page>(
  queryKey: QueryKey,
  read: (cursor: Cursor, signal: AbortSignal) => Promise<P>,
  { next, state }: After,
) {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    ...{ queryKey, enabled: false, gcTime: 0 },
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: next ?? FIRST_PAGE,
    getNextPageParam: nextOf,
  });
  const { data, dataUpdatedAt: updatedAt, isFetching, isRefetchError, refetch } = query;
  const [seen, setSeen] = useState(state);
  const isOld = data !== undefined && next !== null && !isFetching && (state !== seen || isRefetchError);
  const readAgain = useCallbackRef(() => {
    setSeen(state);
    const startAtNext = (loaded: InfiniteData<P, Cursor> | undefined) =>
      loaded && { ...loaded, pageParams: [next ?? FIRST_PAGE, ...loaded.pageParams.slice(1)] };
    client.setQueryData<InfiniteData<P, Cursor>>(queryKey, startAtNext, { updatedAt });
    void refetch();
  });
  useEffect(() => {
    const timer = isOld ? setTimeout(readAgain, EVERY.open) : undefined;
    return () => clearTimeout(timer);
  }, [isOld, readAgain]);
  return {
    ...query,
    isError: isRefetchError,
    data: next === null ? undefined : data,
    hasNextPage: next !== null && (data === undefined || query.hasNextPage),
  };
}

/** Other addresses name no outage. */
function isOutageId(id: string): boolean {
  return outageApi.outage.params.safeParse({ id }).success;
}

function isRunning(data: OutagePageReply | null | undefined): boolean {
  const outage = data?.outage;
  return outage !== undefined && (outage.endedAt === null || outage.counts.stillPaused > 0);
}

/** All campaigns of an outage that pass the filter, page by page. */
export async function readAllCampaigns(id: string, filter: OutageFilter) {
  const campaigns: OutagePageReply['campaigns'] = [];
  let cursor = FIRST_PAGE;
  do {
    const page: OutagePageReply = await readOutage(id, filter, cursor);
    campaigns.push(...page.campaigns);
    cursor = nextOf(page);
  } while (cursor !== undefined);
  return campaigns;
}

async function readOutage(id: string, filter: OutageFilter, cursor: Cursor, signal?: AbortSignal) {
  const request = { params: { id }, query: { cursor, ...filter }, ...(signal && { signal }) };
  const page = await call(outageApi.outage, request);
  return { ...page, outage: { ...page.outage, accounts: withClearNames(page.outage.accounts) } };
}

/** What happened to one campaign; a page is null where the user has no such campaign. */
export function useCampaignHistory(campaignId: string) {
  return useInfiniteQuery({
    queryKey: [...keys.allHistories, campaignId],
    queryFn: ({ pageParam: cursor, signal }) =>
      ifSupported(call(outageApi.campaignHistory, { params: { id: campaignId }, query: { cursor }, signal })),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextOf,
    refetchInterval: EVERY.ended,
  });
}

/** Has the server read a held campaign from Meta once; live updates report what it finds. */
export function useReadNow(campaignId: string): void {
  useQuery({
    queryKey: ['read-campaign', campaignId],
    queryFn: async () => {
      await call(outageApi.readCampaign, { params: { id: campaignId } });
      return true;
    },
    enabled: useHasCapability('read_campaign'),
    ...{ retry: false, gcTime: 0, staleTime: Infinity },
  });
}
