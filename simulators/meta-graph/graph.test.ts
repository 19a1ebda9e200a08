import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/simulator-clients/control-client.ts';
import type { SimServer } from '../kit/http.ts';
import { startMetaGraph } from './server.ts';

const APP = { client_id: '1000000000000001', client_secret: 'simulated-app-secret' };
const MAYA = '122093847561029384';
const ACCOUNT = 'act_1048576203948571';
const ARCHIVED = '104857620390010186';

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

const PAUSE = { status: 'PAUSED' };
test.each([
  ['an unknown cursor', 'GET', `${ACCOUNT}/campaigns`, { after: 'x' }, { code: 100 }],
  ['a page that is too large', 'GET', `${ACCOUNT}/campaigns`, { limit: '501' }, { code: 1 }],
  ['an account of others', 'GET', 'act_2204891133870012/campaigns', {}, { code: 200 }],
  ['an unknown object', 'GET', '5', {}, { code: 100, error_subcode: 33 }],
  ['a wrong proof', 'GET', 'me', { appsecret_proof: 'x' }, { code: 100 }],
  ['an archived campaign', 'POST', ARCHIVED, PAUSE, { code: 100, error_subcode: 1487566 }],
  ['a closed account', 'POST', '81', PAUSE, { code: 2615 }],
  ['a change by a user who may only read', 'POST', '91', PAUSE, { code: 273 }],
  ['a legacy Advantage+ campaign', 'POST', '71', PAUSE, { code: 100 }],
])('%s is refused', async (_title, method, path, params, error) => {
  const legacy = { id: '71', name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
  const shop = { id: 'act_7', name: 'Shop', currency: 'USD', campaigns: [legacy] };
  const closed = { ...shop, id: 'act_8', account_status: 2, campaigns: [{ id: '81', name: 'X' }] };
  const read = { ...shop, id: 'act_9', user_tasks: ['ANALYZE'], campaigns: [{ id: '91', name: 'Y' }] };
  const own = { id: ACCOUNT, name: 'Own', currency: 'USD', campaigns: [] };
  await world.post('/seed', { users: [{ id: MAYA, name: 'Maya', accounts: [own, shop, closed, read] }] });
  expect(await call(method, path, params)).toMatchObject(error);
});

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

  test('[FR-35] Login for Business: the configuration grants all its permissions, and a code only on demand', async () => {
    await world.post('/login-config', { id: '77' });
    const own = { config_id: '77', scope: '' };
    for (const wrong of [{}, { config_id: '78' }])
      expect((await dialog(['ads_read'], wrong)).status).toBe(400);
    expect(await codeFor([], own)).toBe('');
    const code = await codeFor([], { ...own, override_default_response_type: 'true' });
    const { access_token } = (await exchange({ code })) as { access_token: string };
    const { data } = (await call('GET', 'me/permissions', { access_token })) as { data: object[] };
    expect(data).toHaveLength(5);
    expect(data).toContainEqual({ permission: 'ads_management', status: 'granted' });
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

test('another tool has pauses and activations in the log, and goes on as the clock does', async () => {
  const tool = { off: ['Fri 18:00', '23:00'], on: ['06:00'], days: 14 };
  const campaign = '104857620390010001';
  await world.post(`/accounts/${ACCOUNT}`, { timezone_name: 'Asia/Kolkata' });
  await world.post(`/campaigns/${campaign}/tool`, tool);
  const changes = async () => {
    const params = { fields: 'event_time,application_id,extra_data', limit: '500' };
    const { data } = (await call('GET', `${ACCOUNT}/activities`, params)) as {
      data: { event_time: string; application_id: string; extra_data: string }[];
    };
    return data;
  };
  const before = await changes();
  expect(before.length).toBeGreaterThanOrEqual(27);
  expect(before.length).toBeLessThanOrEqual(29);
  expect(before.filter(({ application_id }) => application_id === APP.client_id)).toEqual([]);
  await world.post('/clock', { offsetMs: 7 * 86_400_000 });
  const all = await changes();
  expect(all).toHaveLength(before.length + 14);
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kolkata', timeStyle: 'short' });
  const times = all.map(({ event_time, extra_data }) => {
    const { new_value } = JSON.parse(extra_data) as { new_value: string };
    return `${new_value} ${local.format(Date.parse(event_time))}`;
  });
  expect([...new Set(times)].toSorted()).toEqual(['ACTIVE 06:00', 'PAUSED 18:00', 'PAUSED 23:00']);
});
