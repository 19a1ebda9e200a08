import type { QueryKey } from '@tanstack/react-query';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts';
import { outageApi } from '#contract/outage-api.ts';
import { withClearNames } from '#core/clear-names.ts';
import { minutes, seconds } from '#core/time.ts';
import { call, ifSupported } from '../../lib/api-client.ts';
import { keys } from '../../lib/queries.ts';
import { useHasCapability } from '../auth/auth-provider.tsx';

const EVERY = { open: seconds(15), ended: minutes(1) };

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

/**
 * One outage with its first campaigns; null where the server knows no such outage. Only this page is read again: the
 * further ones stay as they were loaded.
 */
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

/** The campaigns of an outage after the first page. */
export const useMoreCampaigns = (id: string, filter: OutageFilter, next: string | null) =>
  useMore(['more-of-outage', id, filter], (cursor, signal) => readOutage(id, filter, cursor, signal), next);

type ActivityFilter = Omit<QueryOf<typeof outageApi.activities>, 'cursor'>;

/** The newest activities, and those after them on demand; null where the server has no such list. */
export function useActivities(filter: ActivityFilter, enabled: boolean) {
  const read = (cursor: Cursor, signal: AbortSignal) =>
    call(outageApi.activities, { query: { cursor, ...filter }, signal });
  const first = useQuery({
    queryKey: [...keys.allOutages, 'activities', filter],
    queryFn: ({ signal }) => read(FIRST_PAGE, signal),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY.open,
    enabled,
  });
  const next = first.isPlaceholderData ? null : (first.data?.next ?? null);
  return { first, more: useMore(['more-activities', filter], read, next) };
}

/** The pages after the first one, which alone is read again. @param next null: there are none */
function useMore<P extends Page>(
  queryKey: QueryKey,
  read: (cursor: Cursor, signal: AbortSignal) => Promise<P>,
  next: string | null,
) {
  const query = useInfiniteQuery({
    ...{ queryKey, enabled: false, gcTime: 0 },
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: next ?? FIRST_PAGE,
    getNextPageParam: nextOf,
  });
  return { ...query, hasNextPage: query.data === undefined ? next !== null : query.hasNextPage };
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
