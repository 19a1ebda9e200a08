import { CancelledError } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { userStatusQuery } from '../features/status/api.ts';
import { adAccountsQuery, campaignsQuery } from './queries.ts';
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

test('campaigns and ad accounts of one name have their ids on all pages', async () => {
  const twins = [1, 2].map((id) => ({ id: String(id), name: 'Shoes' }));
  const replies = {
    '/api/ad-accounts': { adAccounts: twins },
    '/api/campaigns/act_1': {
      campaigns: twins.map((one) => ({ ...one, status: 'ACTIVE', smartPauseSetting: 'OFF' })),
    },
    '/api/user/status': { status: { heldAccounts: twins.map((one) => ({ ...one, count: 1 })) } },
  };
  vi.stubGlobal('fetch', (url: keyof typeof replies) => Promise.resolve(Response.json(replies[url])));
  saveToken('secret');
  const client = createQueryClient();
  const { campaigns } = await client.query(campaignsQuery('act_1'));
  const { heldAccounts = [] } = await client.query(userStatusQuery);
  const lists = [await client.query(adAccountsQuery), campaigns, heldAccounts];
  const names = ['Shoes (1)', 'Shoes (2)'];
  expect(lists.map((list) => list.map(({ name }) => name))).toEqual([names, names, names]);
  client.clear();
});
