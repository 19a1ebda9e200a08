import { CancelledError, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { userStatusQuery, useUserStatus } from '../features/status/api.ts';
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
  const twins = ['1', '2'].map((id) => ({ id, name: 'Shoes' }));
  // One is held, the other is not; the third is no longer in the list.
  const held = [
    { id: '2', name: 'Shoes' },
    { id: '3', name: 'Hats' },
  ].map((one) => ({ ...one, count: 1 }));
  const replies = {
    '/api/ad-accounts': { adAccounts: twins },
    '/api/campaigns/act_1': {
      campaigns: twins.map((one) => ({ ...one, status: 'ACTIVE', smartPauseSetting: 'OFF' })),
    },
    '/api/user/status': { status: { heldAccounts: held } },
  };
  vi.stubGlobal('fetch', (url: keyof typeof replies) => Promise.resolve(Response.json(replies[url])));
  saveToken('secret');
  const client = createQueryClient();
  const { campaigns } = await client.query(campaignsQuery('act_1'));
  const accounts = await client.query(adAccountsQuery);
  await client.query(userStatusQuery);
  const HeldNames = () => useUserStatus().data?.heldAccounts?.map(({ name }) => `${name};`);
  const page = createElement(QueryClientProvider, { client }, createElement(HeldNames));
  const names = ['Shoes (1)', 'Shoes (2)'];
  expect([accounts, campaigns].map((list) => list.map(({ name }) => name))).toEqual([names, names]);
  expect(renderToStaticMarkup(page)).toBe('Shoes (2);Hats;');
  client.clear();
});
