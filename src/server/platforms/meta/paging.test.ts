import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Http } from '../http.ts';
import { createHttp } from '../http.ts';
import type { AdPlatform } from './ads.ts';
import { createAdPlatform } from './ads.ts';
import { createGraphClient } from './client.ts';

const PAGES = 6;
const EACH_TAKES_MS = 20_000;

let server: Server;
let http: Http;
let now: number;
let asked: number;

beforeEach(async () => {
  now = 1_790_000_000_000;
  asked = 0;
  server = createServer((_request, response) => {
    asked += 1;
    now += EACH_TAKES_MS;
    const data = [{ id: String(asked), status: 'ACTIVE' }];
    const paging = asked < PAGES ? { cursors: { after: String(asked) }, next: 'https://next.test' } : {};
    response.end(JSON.stringify({ data, paging }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttp();
});
afterEach(async () => {
  await http.close();
  await new Promise((resolve) => server.close(resolve));
});

function platform(limits: { withinMs?: number }): AdPlatform {
  const graphUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { graphUrl, apiVersion: 'v1', appId: '1', appSecret: 's' };
  return createAdPlatform(
    createGraphClient(config, http, () => now),
    config.appId,
    limits,
  );
}

test('reads a list to its end', async () => {
  const answer = await platform({}).listCampaigns('token', 'act_1');
  expect(answer.ok && answer.value.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('stops at a time limit, and returns no partial list', async () => {
  const lists = platform({ withinMs: 60_000 });
  const failure = { kind: 'transient', maybeDone: false };
  expect(await lists.listCampaigns('token', 'act_1')).toMatchObject({ ok: false, failure });
  expect(asked).toBe(4);
  asked = 0;
  expect(await lists.listAdAccounts('token')).toMatchObject({ ok: false, failure });
  expect(asked).toBe(4);
});
