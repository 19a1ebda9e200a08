import { CancelledError, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { campaignsQuery, meQuery } from './queries.ts';
import { createQueryClient } from './query-client.ts';
import { dropToken, saveToken } from './session.ts';

let requests: { url: string; signal: AbortSignal }[];
let respond: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  saveToken('secret');
  requests = [];
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    requests.push({ url, signal });
    return respond();
  });
});
afterEach(() => {
  dropToken();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a change cancels a read of the list that began before it', async () => {
  respond = () => new Promise(() => undefined);
  const client = createQueryClient();
  const query = campaignsQuery('act_1');
  const read = client.query(query).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  await client.cancelQueries({ queryKey: query.queryKey });
  expect(await read).toBeInstanceOf(CancelledError);
  expect(requests.map(({ url, signal }) => [url, signal.aborted])).toEqual([['/api/campaigns/act_1', true]]);
  client.clear();
});

const failed = (status: number) => () => Promise.resolve(new Response('{}', { status }));

test.each([
  ['without a response', () => Promise.reject(new TypeError('Failed to fetch')), minutes(1), 7],
  ['after an error of the server', failed(500), 2900, 3],
  ['after a refusal', failed(404), 0, 1],
])(
  '[AUTH-06] %s, loading the user has failed after some attempts',
  async (_name, answer, stillLoadingAt, attempts) => {
    respond = answer;
    const client = createQueryClient();
    const user = new QueryObserver(client, meQuery);
    const stop = user.subscribe(() => undefined);
    if (stillLoadingAt > 0) {
      await vi.advanceTimersByTimeAsync(stillLoadingAt);
      expect(user.getCurrentResult().isLoadingError).toBe(false);
    }
    await vi.advanceTimersByTimeAsync(seconds(2));
    expect([user.getCurrentResult().isLoadingError, requests.length]).toEqual([true, attempts]);
    stop();
    client.clear();
  },
);
