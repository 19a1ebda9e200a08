import { useDocumentVisibility } from '@mantine/hooks';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Topic } from '#contract/live-updates.ts';
import { followStream } from './live-stream.ts';
import { bulkChangeKey, keys } from './queries.ts';

const WAIT_MS = 250;

const QUERIES: Record<Topic, readonly QueryKey[]> = {
  status: [keys.status, keys.userStatus, keys.adminStatus, keys.allOutages],
  campaigns: [keys.allCampaigns, keys.userStatus, keys.allOutages, keys.allHistories],
  adAccounts: [keys.adAccounts],
  user: [keys.me, keys.userStatus],
  subscription: [keys.subscription],
  // Reading the user shows the page that its session has ended.
  sessions: [keys.me],
  activity: [keys.adminStats, keys.adminActivity],
};

/** While the page is visible, reads again what the server reports as changed. */
export function useLiveUpdates(token: string | null): void {
  const client = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  const isFirst = useRef(true);
  useEffect(() => {
    if (token === null || !isVisible) return;
    const over = new AbortController();
    void followStream(token, over.signal, {
      onTopic: createInvalidator(client),
      onOpen: () => {
        readMissed(client, isFirst.current);
        isFirst.current = false;
      },
    });
    return () => over.abort();
  }, [client, token, isVisible]);
}

/** Reads what may have changed before the stream opened; a new page has just read the rest. */
export function readMissed(client: QueryClient, isNewPage: boolean): void {
  const predicate = ({ queryKey: [name] }: Query): boolean =>
    isNewPage
      ? name === keys.status[0] || name === keys.userStatus[0]
      : // The activation keeps its own interval.
        name !== keys.activation[0];
  void client.invalidateQueries({ predicate }, { cancelRefetch: false });
}

/** Invalidates the queries of each topic, once for all events within a short time. */
export function createInvalidator(client: QueryClient): (topic: Topic) => void {
  const waiting = new Set<QueryKey>();
  const schedule = (queryKey: QueryKey): void => {
    if (waiting.has(queryKey)) return;
    waiting.add(queryKey);
    setTimeout(() => invalidate(queryKey), WAIT_MS);
  };
  const invalidate = (queryKey: QueryKey): void => {
    waiting.delete(queryKey);
    // A response under way may be older than the change.
    if (client.isFetching({ queryKey }) > 0 || isChangedInBulk(client, queryKey)) schedule(queryKey);
    else void client.invalidateQueries({ queryKey });
  };
  return (topic) => QUERIES[topic].forEach(schedule);
}

/** A bulk change reads its list when it ends. */
function isChangedInBulk(client: QueryClient, queryKey: QueryKey): boolean {
  return queryKey === keys.allCampaigns && client.isMutating({ mutationKey: bulkChangeKey }) > 0;
}
