import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minutes, seconds } from '#core/time.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { dropToken, saveToken } from '../../lib/session.ts';
import { meQuery } from './api.ts';

let requests: number;
let respond: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  saveToken('secret');
  requests = 0;
  vi.stubGlobal('fetch', () => {
    requests += 1;
    return respond();
  });
});
afterEach(() => {
  dropToken();
  vi.useRealTimers();
  vi.unstubAllGlobals();
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
    expect([user.getCurrentResult().isLoadingError, requests]).toEqual([true, attempts]);
    stop();
    client.clear();
  },
);
