import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaGraph } from './server.ts';

const APP = { client_id: '1000000000000001', client_secret: 'simulated-app-secret' };
const MAYA = '122093847561029384';
const ACCOUNT = 'act_1048576203948571';
const [SALE, SERUM, NEWSLETTER, ARCHIVED] = ['0001', '0038', '0075', '0186'].map(
  (end) => `10485762039001${end}`,
) as [string, string, string, string];

let server: SimServer;
let world: ControlClient;
let token: string;
beforeAll(async () => {
  server = await startMetaGraph();
  world = new ControlClient(server.url);
});
beforeEach(async () => {
  await world.post('/reset');
  token = (await world.post<{ access_token: string }>('/tokens', { userId: MAYA })).access_token;
});
afterAll(() => server.close());

/** The body of the response; its error, if it has one. */
async function call(method: string, path: string, params = {}) {
  const fields = new URLSearchParams({ access_token: token, ...params });
  const isPost = method === 'POST';
  const address = `${world.url}/v26.0/${path}${isPost ? '' : `?${fields.toString()}`}`;
  const answer = await fetch(address, { method, body: isPost ? fields : null });
  const body = (await answer.json()) as Record<string, unknown>;
  return body['error'] ?? body;
}

const pause = (id: string) => call('POST', id, { status: 'PAUSED' });
const operation = (id: string) => ({ method: 'POST', relative_url: id, body: 'status=PAUSED' });
const batch = (...operations: object[]) => call('POST', '', { batch: JSON.stringify(operations) });

/** The error of each pause in a batch; null: cut off, 0: done. */
async function codes(...ids: string[]): Promise<(number | null)[]> {
  const entries = (await batch(...ids.map(operation))) as ({ body: string } | null)[];
  return entries.map((entry) =>
    entry === null ? null : ((JSON.parse(entry.body) as { error?: { code: number } }).error?.code ?? 0),
  );
}

test('a list has the requested fields that are not empty, and continues at its cursor', async () => {
  const fields = 'id,name,status,daily_budget,smart_promotion_type,stop_time';
  const first = await call('GET', `${ACCOUNT}/campaigns`, { fields, limit: '1' });
  const shown = { id: SALE, name: 'Spring Sale | Prospecting', status: 'ACTIVE', daily_budget: '45000' };
  const { paging } = first as { paging: { cursors: { after: string }; next: string } };
  expect(first).toEqual({ data: [shown], paging });
  expect(paging.next).toContain(`access_token=${token}`);
  // A cursor stays valid when its item is no longer shown.
  await world.post(`/campaigns/${SALE}`, { status: 'ARCHIVED' });
  const next = { limit: '2', after: paging.cursors.after };
  expect(await call('GET', `${ACCOUNT}/campaigns`, next)).toMatchObject({
    data: [{ id: SERUM }, { id: NEWSLETTER }],
  });
  const archived = { effective_status: '["ARCHIVED"]' };
  const expected = { data: [{ id: SALE }, { id: ARCHIVED }] };
  expect(await call('GET', `${ACCOUNT}/campaigns`, archived)).toMatchObject(expected);
});

test('a write is recorded, and the activity log distinguishes it from external ones', async () => {
  expect(await pause(SALE)).toEqual({ success: true });
  await world.post(`/campaigns/${SALE}`, { status: 'ACTIVE' });
  const write = { campaign: SALE, status: 'PAUSED', previous: 'ACTIVE' };
  expect(await world.writes()).toMatchObject([{ ...write, token_user: MAYA }, { token_user: null }]);
  const entry = (application_id: string, old_value: string, new_value: string) => ({
    ...{ application_id, object_id: SALE, extra_data: JSON.stringify({ old_value, new_value }) },
  });
  const fields = 'application_id,object_id,extra_data';
  expect(await call('GET', `${ACCOUNT}/activities`, { fields, category: 'STATUS' })).toMatchObject({
    data: [entry('119211728144504', 'PAUSED', 'ACTIVE'), entry(APP.client_id, 'ACTIVE', 'PAUSED')],
  });
  const since = String(Math.floor(Date.now() / 1000) + 60);
  expect(await call('GET', `${ACCOUNT}/activities`, { since })).toEqual({ data: [] });
});

const PAUSE = { status: 'PAUSED' };
test.each([
  ['an unknown cursor', 'GET', `${ACCOUNT}/campaigns`, { after: 'x' }, { code: 100 }],
  ['a page that is too large', 'GET', `${ACCOUNT}/campaigns`, { limit: '501' }, { code: 1 }],
  ['an account of others', 'GET', 'act_2204891133870012/campaigns', {}, { code: 200 }],
  ['an unknown object', 'GET', '5', {}, { code: 100, error_subcode: 33 }],
  ['a wrong proof', 'GET', 'me', { appsecret_proof: 'x' }, { code: 100 }],
  ['an archived campaign', 'POST', ARCHIVED, PAUSE, { code: 100, error_subcode: 1487566 }],
  ['a closed account', 'POST', '81', PAUSE, { code: 2615 }],
  ['a legacy Advantage+ campaign', 'POST', '71', PAUSE, { code: 100 }],
])('%s is refused', async (_title, method, path, params, error) => {
  const legacy = { id: '71', name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
  const shop = { id: 'act_7', name: 'Shop', currency: 'USD', campaigns: [legacy] };
  const closed = { ...shop, id: 'act_8', account_status: 2, campaigns: [{ id: '81', name: 'X' }] };
  const own = { id: ACCOUNT, name: 'Own', currency: 'USD', campaigns: [] };
  await world.post('/seed', { users: [{ id: MAYA, name: 'Maya', accounts: [own, shop, closed] }] });
  expect(await call(method, path, params)).toMatchObject(error);
});

test('a batch of at most 50 has a result for each operation; the development tier allows 20 writes', async () => {
  const read = { method: 'GET', relative_url: `${SALE}?fields=status` };
  expect(await batch(operation(SALE), operation('5'), read)).toMatchObject([
    { code: 200 },
    { code: 400 },
    { code: 200, body: '{"status":"PAUSED"}' },
  ]);
  expect(await batch(...Array.from({ length: 51 }, () => read))).toMatchObject({ code: 100 });
  await world.post('/limits', { tier: 'development_access' });
  expect((await codes(...Array.from({ length: 21 }, () => SALE))).slice(19)).toEqual([0, 17]);
  const wait = String.raw`\"estimated_time_to_regain_access\":5`;
  expect(JSON.stringify(await batch(operation(SALE)))).toContain(wait);
  await world.post('/clock', { offsetMs: 301_000 });
  expect(await pause(SERUM)).toEqual({ success: true });
});

// What each fault does is proved by the tests of the product.
describe('the login', () => {
  const BACK = 'http://localhost:3000/auth/callback?from=meta';
  const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123';
  const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
  const asked = {
    ...{ client_id: APP.client_id, redirect_uri: BACK, state: 's t/1', scope: 'ads_management,ads_read' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  };

  /** Confirms the dialog with these permissions. */
  function dialog(granted: string[], more: Record<string, string> = {}): Promise<Response> {
    const query = new URLSearchParams({ ...asked, ...more }).toString();
    const ticked = granted.map((scope): [string, string] => ['granted', scope]);
    const body = new URLSearchParams([['user', MAYA], ...ticked]);
    const posted = { method: 'POST', body, redirect: 'manual' } as const;
    return fetch(`${world.url}/v26.0/dialog/oauth?${query}`, posted);
  }

  async function codeFor(granted: string[], more = {}): Promise<string> {
    const back = new URL((await dialog(granted, more)).headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('s t/1');
    return back.searchParams.get('code') ?? '';
  }
  const exchange = (params: object) =>
    call('POST', 'oauth/access_token', { ...APP, redirect_uri: BACK, code_verifier: VERIFIER, ...params });

  test.each([
    [{ redirect_uri: 'https://evil.example/' }],
    [{ client_id: '5' }],
    [{ code_challenge_method: 'plain' }],
  ])('the dialog never redirects with %j', async (wrong) => {
    expect((await dialog(['ads_read'], wrong)).status).toBe(400);
  });

  test('a declined permission is asked for again only with auth_type=rerequest', async () => {
    await codeFor(['ads_read']);
    for (const [more, scopes] of [
      [{}, ['public_profile', 'ads_read']],
      [{ auth_type: 'rerequest' }, ['public_profile', 'ads_management', 'ads_read']],
    ] as const) {
      const code = await codeFor(['ads_management', 'ads_read'], more);
      const { access_token: input_token } = (await exchange({ code })) as { access_token: string };
      const access_token = `${APP.client_id}|${APP.client_secret}`;
      const data = { is_valid: true, scopes };
      expect(await call('GET', 'debug_token', { input_token, access_token })).toMatchObject({ data });
    }
  });

  test('a code is exchanged once, for ten minutes, with the right values', async () => {
    const code = await codeFor(['ads_read']);
    for (const [params, error] of [
      [{ redirect_uri: 'http://localhost:3000/other' }, { code: 100, error_subcode: 36008 }],
      [{ client_secret: 'x' }, { code: 1 }],
      [{ client_id: '7' }, { code: 101 }],
      [{ code: 'AQx' }, { code: 100 }],
      [{ code_verifier: `${VERIFIER}x` }, { code: 100 }],
      [{}, { expires_in: 5_183_944 }],
      [{}, { code: 100, error_subcode: 36009 }],
    ] as const)
      expect(await exchange({ code, ...params })).toMatchObject(error);
    const late = await codeFor(['ads_read']);
    await world.post('/clock', { offsetMs: 601_000 });
    expect(await exchange({ code: late })).toMatchObject({ code: 100, error_subcode: 36007 });
  });
});
