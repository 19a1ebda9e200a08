import { CancelledError } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { campaignsQuery } from './queries.ts';
import { createQueryClient } from './query-client.ts';
import { dropToken, saveToken } from './session.ts';

afterEach(() => {
  dropToken();
  vi.unstubAllGlobals();
});

test('a change cancels a read of the list that began before it', async () => {
  const requests: { url: string; signal: AbortSignal }[] = [];
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    requests.push({ url, signal });
    return new Promise(() => undefined);
  });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  saveToken('secret');
  const client = createQueryClient();
  const query = campaignsQuery('act_1');
  const read = client.query(query).catch((error: unknown) => error);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await client.cancelQueries({ queryKey: query.queryKey });
  expect(await read).toBeInstanceOf(CancelledError);
  expect(requests.map(({ url, signal }) => [url, signal.aborted])).toEqual([['/api/campaigns/act_1', true]]);
  client.clear();
});
