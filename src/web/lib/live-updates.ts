import { useDocumentVisibility } from '@mantine/hooks';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Topic } from '#contract/live-updates.ts';
import { EVENTS_PATH, liveEvent } from '#contract/live-updates.ts';
import { seconds } from '#core/time.ts';
import { keys } from './queries.ts';

/** At least this long, at most twice: spreads the pages of all users after a restart of the server. */
const RETRY_MS = seconds(8);
const WAIT_MS = 250;
/** So many lists are read in a second at most: those of 30 ad accounts every three seconds. */
export const LISTS_PER_S = 10;

const QUERIES: Record<Topic, readonly QueryKey[]> = {
  status: [keys.status, keys.userStatus, keys.adminStatus, keys.allOutages],
  campaigns: [keys.allCampaigns, keys.userStatus, keys.allOutages, keys.allHistories],
  adAccounts: [keys.adAccounts, keys.userStatus],
  user: [keys.me, keys.userStatus],
  subscription: [keys.subscription],
  // Reading the user shows the page that its session has ended.
  sessions: [keys.me],
  activity: [keys.adminStats, keys.adminActivity],
};

let isOpen = false;

/** Whether the stream is open, so that polling may be slower. */
export const isLive = (): boolean => isOpen;

/** While the page is visible, reads again what the server reports as changed. */
export function useLiveUpdates(token: string | null): void {
  const client = useQueryClient();
  const isVisible = useDocumentVisibility() === 'visible';
  useEffect(() => {
    if (token === null || !isVisible) return;
    const over = new AbortController();
    void followStream(client, token, over.signal);
    return () => over.abort();
  }, [client, token, isVisible]);
}

/**
 * Keeps the stream open until `signal` aborts or the server turns out to have none. The package `eventsource`
 * would not try again after a refusal or an error of a proxy.
 */
export async function followStream(client: QueryClient, token: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const waitMs = await readStream(client, token, signal).catch(() => 0);
    isOpen = false;
    if (waitMs === null) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs + RETRY_MS * (1 + Math.random())));
  }
}

/** @returns the wait in ms that the server demands; null: it has no stream, so the page only polls */
async function readStream(client: QueryClient, token: string, signal: AbortSignal): Promise<number | null> {
  const headers = { authorization: `Bearer ${token}` };
  const {
    ok,
    status,
    body,
    headers: sent,
  } = await fetch(EVENTS_PATH, { headers, cache: 'no-store', signal });
  const isStream = sent.get('content-type')?.startsWith('text/event-stream') === true;
  if (status === 404 || (ok && !isStream)) return null;
  // The header may be a date, which is not a number.
  if (!ok || body === null) return seconds(Number(sent.get('retry-after')) || 0);
  isOpen = true;
  readMissed(client);
  await readTopics(body, createInvalidator(client));
  return 0;
}

let hasOpened = false;

/** Reads what may have changed before the stream opened; a new page has just read most of it. */
export function readMissed(client: QueryClient): void {
  for (const queryKey of hasOpened ? [[]] : [keys.status, keys.userStatus])
    void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  hasOpened = true;
}

/** Skips topics of a newer server: polling covers their data. */
export async function readTopics(
  body: ReadableStream<BufferSource>,
  onTopic: (topic: Topic) => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = line.startsWith('data: ') ? liveEvent.safeParse(JSON.parse(line.slice(6))) : null;
      if (event?.success === true) onTopic(event.data.topic);
    }
  }
}

/** Invalidates the queries of each topic, once for all events within a short time, and many lists less often. */
export function createInvalidator(client: QueryClient): (topic: Topic) => void {
  const waiting = new Set<QueryKey>();
  const nextAt = new Map<QueryKey, number>();
  const schedule = (queryKey: QueryKey): void => {
    if (waiting.has(queryKey)) return;
    waiting.add(queryKey);
    const waitMs = Math.max(WAIT_MS, (nextAt.get(queryKey) ?? 0) - performance.now());
    setTimeout(() => {
      waiting.delete(queryKey);
      // A response under way may be older than the change.
      if (client.isFetching({ queryKey }) > 0) schedule(queryKey);
      else read(queryKey);
    }, waitMs);
  };
  const read = (queryKey: QueryKey): void => {
    const lists = client.getQueryCache().findAll({ queryKey, type: 'active' }).length;
    nextAt.set(queryKey, performance.now() + seconds(lists / LISTS_PER_S));
    void client.invalidateQueries({ queryKey });
  };
  return (topic) => QUERIES[topic].forEach(schedule);
}
