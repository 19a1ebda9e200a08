import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seconds } from '#core/time.ts';
import { keys } from './queries.ts';
import { createInvalidator, followStream, readMissed, readTopics } from './live-updates.ts';

const LIST = ['campaigns', 'act_1'];
const ANSWER_MS = 400;

let client: QueryClient;
let asked: number[];
let aborted: number;
let invalidate: ReturnType<typeof createInvalidator>;
let stopShowing: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  client = new QueryClient();
  [asked, aborted] = [[], 0];
  invalidate = createInvalidator(client);
  const observer = new QueryObserver(client, {
    queryKey: LIST,
    queryFn: async ({ signal }) => {
      asked.push(performance.now());
      signal.addEventListener('abort', () => (aborted += 1));
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return asked.length;
    },
  });
  stopShowing = observer.subscribe(() => undefined);
  await pass(1000);
  asked.length = 0;
});
afterEach(() => {
  stopShowing();
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a change is read within 250 ms, and many changes cause one read', async () => {
  for (let i = 0; i < 50; i += 1) invalidate('campaigns');
  await pass(249);
  expect(asked).toHaveLength(0);
  await pass(1);
  expect(asked).toHaveLength(1);
  await pass(5000);
  expect(asked).toHaveLength(1);
});

test('continuous changes cause one read at a time, and the last change is always read', async () => {
  let last = 0;
  for (let i = 0; i < 100; i += 1) {
    invalidate('campaigns');
    last = performance.now();
    await pass(50);
  }
  await pass(5000);
  const gaps = asked.slice(1).map((one, index) => one - (asked[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  expect(asked.at(-1)).toBeGreaterThan(last);
  expect(aborted).toBe(0);
});

test('[UX-22] the lists of 30 ad accounts are read at once, and then at most ten a second', async () => {
  let reads = 0;
  const stops = Array.from({ length: 29 }, (_, index) =>
    new QueryObserver(client, { queryKey: ['campaigns', index], queryFn: () => ++reads }).subscribe(() => {}),
  );
  await pass(1000);
  reads = 0;
  invalidate('campaigns');
  await pass(250);
  expect(reads).toBe(29);
  reads = 0;
  for (let i = 0; i < 60; i += 1) {
    invalidate('campaigns');
    await pass(1000);
  }
  expect([reads > 400, reads <= 600]).toEqual([true, true]);
  stops.forEach((stop) => stop());
});

test('a topic reads only its own queries, and an inactive query when it is shown again', async () => {
  invalidate('subscription');
  await pass(5000);
  expect(asked).toHaveLength(0);
  stopShowing();
  invalidate('campaigns');
  await pass(5000);
  expect([asked.length, client.getQueryState(LIST)?.isInvalidated]).toEqual([0, true]);
});

test('a new page reads the status when the stream opens, and everything when it opens again', async () => {
  const all = [keys.status, keys.userStatus, keys.me];
  for (const key of all) client.setQueryData(key, {});
  const invalidated = () => all.filter((key) => client.getQueryState(key)?.isInvalidated);
  readMissed(client);
  await pass(0);
  expect([invalidated(), asked.length]).toEqual([[keys.status, keys.userStatus], 0]);
  readMissed(client);
  await pass(0);
  expect([invalidated(), asked.length]).toEqual([all, 1]);
});

test.each([
  ['5', 5],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
])('a refused stream with Retry-After %j is tried again after %d s more', async (retryAfter, waitS) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const headers = { 'retry-after': retryAfter };
  const fetch = vi.fn(() => Promise.resolve(new Response(null, { status: 503, headers })));
  vi.stubGlobal('fetch', fetch);
  const over = new AbortController();
  void followStream(client, 'secret', over.signal);
  await pass(seconds(8 + waitS) - 1);
  expect(fetch).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(fetch).toHaveBeenCalledTimes(2);
  over.abort();
});

test('events are parsed across chunk borders, and unknown topics are skipped', async () => {
  const text = ':\n\ndata: {"topic":"status"}\n\ndata: {"topic":"“ü”"}\n\ndata: {"topic":"user"}\n\n';
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const topics: string[] = [];
  await readTopics(body, (topic) => topics.push(topic));
  expect(topics).toEqual(['status', 'user']);
});
