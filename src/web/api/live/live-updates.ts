import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Topic } from '#contract/live-updates.ts';
import { bulkChangeKey, keys } from '../queries.ts';
import { keepStream } from './stream.ts';

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

/** Reads again what the server reports as changed. */
export function startLiveUpdates(client: QueryClient): void {
  let isFirst = true;
  keepStream({
    onTopic: createInvalidator(client),
    onOpen: () => {
      // A new page reads all queries anyway. The activation keeps its own interval.
      const predicate = ({ queryKey }: Query): boolean => queryKey[0] !== keys.activation[0];
      if (!isFirst) void client.invalidateQueries({ predicate }, { cancelRefetch: false });
      isFirst = false;
    },
  });
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
