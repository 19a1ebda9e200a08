import { afterEach, expect, test, vi } from 'vitest';
import { seconds } from '#core/time.ts';
import { followStream } from './live-stream.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['5', 5],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  [null, 0],
])('a refused stream with Retry-After %j is tried again after %d s more', async (retryAfter, waitS) => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const headers: HeadersInit = retryAfter === null ? {} : { 'retry-after': retryAfter };
  const fetch = vi.fn(() => Promise.resolve(new Response(null, { status: 503, headers })));
  vi.stubGlobal('fetch', fetch);
  const over = new AbortController();
  void followStream('secret', over.signal, { onOpen: () => undefined, onTopic: () => undefined });
  await vi.advanceTimersByTimeAsync(seconds(8 + waitS) - 1);
  expect(fetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledTimes(2);
  over.abort();
});
