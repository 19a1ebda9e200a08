import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ControlClient } from '../../scripts/outside/control-client.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
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
async function call(method: string, path: string, params = {}, signal: AbortSignal | null = null) {
  const fields = new URLSearchParams({ access_token: token, ...params });
  const isPost = method === 'POST';
  const address = `${world.url}/v26.0/${path}${isPost ? '' : `?${fields.toString()}`}`;
  const answer = await fetch(address, { method, body: isPost ? fields : null, signal });
  const body = (await answer.json()) as Record<string, unknown>;
  return body['error'] ?? body;
}

const pause = (id: string, signal?: AbortSignal) => call('POST', id, { status: 'PAUSED' }, signal);
const operation = (id: string) => ({ method: 'POST', relative_url: id, body: 'status=PAUSED' });
const batch = (...operations: object[]) => call('POST', '', { batch: JSON.stringify(operations) });
const paused = async () => (await world.writes()).map(({ campaign }) => campaign);

/** The error of each pause in a batch; null: cut off, 0: done. */
async function codes(...ids: string[]): Promise<(number | null)[]> {
  const entries = (await batch(...ids.map(operation))) as ({ body: string } | null)[];
  return entries.map((entry) =>
    entry === null ? null : ((JSON.parse(entry.body) as { error?: { code: number } }).error?.code ?? 0),
  );
}

describe('reads', () => {
  const idsOf = async (params: object) => {
    const { data } = (await call('GET', `${ACCOUNT}/campaigns`, params)) as { data: { id: string }[] };
    return data.map(({ id }) => id);
  };

  test('a list has the requested fields that are not empty, and continues at its cursor', async () => {
    await world.post(`/campaigns/${SALE}`, { stop_time: '2026-03-16T19:30:00-0400' });
    const fields = 'id,name,status,daily_budget,smart_promotion_type,start_time,stop_time';
    const first = await call('GET', `${ACCOUNT}/campaigns`, { fields, limit: '1' });
    const shown = { id: SALE, name: 'Spring Sale | Prospecting', status: 'ACTIVE', daily_budget: '45000' };
    const { cursors } = (first as { paging: { cursors: { after: string } } }).paging;
    expect(first).toEqual({
      data: [{ ...shown, stop_time: '2026-03-16T19:30:00-0400' }],
      paging: {
        cursors,
        next: expect.stringContaining(`after=${encodeURIComponent(cursors.after)}`) as string,
      },
    });
    // A cursor stays valid when its item is no longer shown.
    await world.post(`/campaigns/${SALE}`, { status: 'ARCHIVED' });
    expect((await idsOf({ after: cursors.after })).slice(0, 2)).toEqual([SERUM, NEWSLETTER]);
    expect(await idsOf({ effective_status: '["ARCHIVED"]' })).toEqual([SALE, ARCHIVED]);
  });

  test('the activity log distinguishes our changes from external ones', async () => {
    await pause(SALE);
    await world.post(`/campaigns/${SALE}`, { status: 'ACTIVE' });
    const fields = 'application_id,object_id,extra_data';
    const entry = (application_id: string, old_value: string, new_value: string) => ({
      ...{ application_id, object_id: SALE, extra_data: JSON.stringify({ old_value, new_value }) },
    });
    expect(await call('GET', `${ACCOUNT}/activities`, { fields, category: 'STATUS' })).toMatchObject({
      data: [entry('119211728144504', 'PAUSED', 'ACTIVE'), entry(APP.client_id, 'ACTIVE', 'PAUSED')],
    });
    const since = String(Math.floor(Date.now() / 1000) + 60);
    expect(await call('GET', `${ACCOUNT}/activities`, { since })).toEqual({ data: [] });
  });

  test.each([
    ['an unknown cursor', `${ACCOUNT}/campaigns`, { after: 'x' }, { code: 100 }],
    ['a page that is too large', `${ACCOUNT}/campaigns`, { limit: '501' }, { code: 1 }],
    ['an account of others', 'act_2204891133870012/campaigns', {}, { code: 200 }],
    ['an unknown object', '5', {}, { code: 100, error_subcode: 33 }],
    ['a wrong proof', 'me', { appsecret_proof: 'x' }, { code: 100 }],
  ])('%s is refused', async (_title, path, params, error) => {
    expect(await call('GET', path, params)).toMatchObject(error);
  });
});

describe('writes', () => {
  test('a status is changed and recorded; an archived campaign stays archived', async () => {
    expect(await pause(SALE)).toEqual({ success: true });
    const write = { campaign: SALE, status: 'PAUSED', previous: 'ACTIVE', token_user: MAYA };
    expect(await world.writes()).toMatchObject([write]);
    expect(await pause(ARCHIVED)).toMatchObject({ code: 100, error_subcode: 1487566 });
  });

  test('needs an active account, and no legacy Advantage+ campaign', async () => {
    const legacy = { id: '71', name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
    const accounts = [
      { id: 'act_7', name: 'Shop', currency: 'USD', campaigns: [legacy] },
      { id: 'act_8', name: 'Old', currency: 'USD', account_status: 2, campaigns: [{ id: '81', name: 'X' }] },
    ];
    await world.post('/seed', { users: [{ id: MAYA, name: 'Maya', accounts }] });
    expect([await pause('71'), await pause('81')]).toMatchObject([{ code: 100 }, { code: 2615 }]);
  });

  test('a batch of at most 50 has a result for each operation', async () => {
    const read = { method: 'GET', relative_url: `${SALE}?fields=status` };
    expect(await batch(operation(SALE), operation('5'), read)).toMatchObject([
      { code: 200 },
      { code: 400 },
      { code: 200, body: '{"status":"PAUSED"}' },
    ]);
    const many = Array.from({ length: 51 }, () => read);
    expect(await batch(...many)).toMatchObject({ code: 100 });
  });

  test('the development tier allows 20 writes in five minutes, and says so in its headers', async () => {
    await world.post('/limits', { tier: 'development_access' });
    expect((await codes(...Array.from({ length: 21 }, () => SALE))).slice(19)).toEqual([0, 17]);
    const answer = await batch(operation(SALE));
    expect(JSON.stringify(answer)).toContain(String.raw`\"estimated_time_to_regain_access\":5`);
    await world.post('/clock', { offsetMs: 301_000 });
    expect(await pause(SERUM)).toEqual({ success: true });
  });
});

describe('faults', () => {
  test.each([
    ['a campaign', { campaign: SERUM }, [0, 2, 0]],
    ['a campaign, in match', { match: { campaign: SERUM } }, [0, 2, 0]],
    ['inner operations', { op: 'inner', times: 2 }, [2, 2, 0]],
    ['a path', { path: `^/${NEWSLETTER}$` }, [0, 0, 2]],
    ['done or not, unreported', { kind: 'null_entry_applied', campaign: SALE }, [null, 0, 0]],
    ['done with an error', { kind: 'applied_but_error', code: 1, campaign: SALE }, [1, 0, 0]],
  ])('can be limited to %s', async (_title, fault, expected) => {
    await world.fault({ kind: 'error', code: 2, ...fault });
    expect(await codes(SALE, SERUM, NEWSLETTER)).toEqual(expected);
    const isDone = (code: number | null) => code !== 2;
    expect(await paused()).toEqual(
      [SALE, SERUM, NEWSLETTER].filter((_, n) => isDone(expected[n] ?? 0) || expected[n] === null),
    );
  });

  test.each([{ op: 'outer' }, { account: ACCOUNT }, { user: MAYA }, { op: 'outer', campaign: SERUM }])(
    'can refuse a whole batch: %j',
    async (aim) => {
      const words = { userTitle: 'Campaign has ended', userMessage: 'The end date is in the past.' };
      await world.fault({ kind: 'error', code: 4, subcode: 7, ...words, ...aim });
      expect(await batch(operation(SALE), operation(SERUM))).toMatchObject({
        ...{ code: 4, error_subcode: 7, is_transient: true },
        ...{ error_user_title: words.userTitle, error_user_msg: words.userMessage },
      });
      expect(await paused()).toEqual([]);
    },
  );

  test.each([
    ['reset', []],
    ['html', []],
    ['truncated', [SALE]],
    ['reset_after', [SALE]],
  ])('break the connection: %s', async (kind, done) => {
    await world.fault({ kind });
    await expect(pause(SALE)).rejects.toThrow();
    expect(await paused()).toEqual(done);
  });

  test('park a request before it is done, until it is released; one whose client has left is dropped or kept', async () => {
    const fault = { kind: 'hang_before', match: { campaign: SALE } };
    const id = await world.fault(fault);
    const late = await world.fault({ ...fault, match: { campaign: SERUM }, applyOnRelease: true });
    const client = new AbortController();
    const left = [pause(SALE, client.signal), pause(SERUM, client.signal)];
    await waitFor(
      'both to be parked',
      async () => (await world.parked(id)) + (await world.parked(late)) === 2,
    );
    client.abort();
    for (const one of left) await expect(one).rejects.toThrow();
    await waitFor('one to be dropped', async () => (await world.parked(id)) === 0);
    await world.post(`/faults/${late}/release`);
    await waitFor('the other to be done', async () => (await paused()).includes(SERUM));
    const after = await world.fault({ kind: 'hang_after' });
    const answer = pause(NEWSLETTER);
    await waitFor('the response to be parked', async () => (await world.parked(after)) === 1);
    expect(await paused()).toEqual([SERUM, NEWSLETTER]);
    await world.ask('DELETE', '/faults');
    expect(await answer).toEqual({ success: true });
  });

  test('stale_read returns the old status for a while', async () => {
    await world.fault({ kind: 'stale_read', ms: 60_000 });
    await pause(SALE);
    expect(await call('GET', SALE, { fields: 'status' })).toEqual({ status: 'ACTIVE' });
    await world.post('/clock', { offsetMs: 61_000 });
    expect(await call('GET', SALE, { fields: 'status' })).toEqual({ status: 'PAUSED' });
  });

  test.each([
    ['/faults', { kind: 'nonsense' }, /kind must be one of error, /],
    ['/faults', { kind: 'error', campagin: '1' }, /campagin/],
    ['/campaigns/5', { status: 'PAUSED' }, /there is no campaign 5/],
    ['/nothing', {}, /no control/],
  ])('an order that is wrong is refused: %s %j', async (path, body, message) => {
    await expect(world.post(path, body)).rejects.toThrow(message);
  });
});

describe('the login', () => {
  const BACK = 'http://localhost:3000/auth/callback?from=meta';
  const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0123';
  const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
  const asked = {
    ...{ client_id: APP.client_id, redirect_uri: BACK, state: 's t/1', scope: 'ads_management,ads_read' },
    ...{ code_challenge: CHALLENGE, code_challenge_method: 'S256' },
  };

  function dialog(form: [string, string][] | null, more: Record<string, string> = {}): Promise<Response> {
    const query = new URLSearchParams({ ...asked, ...more }).toString();
    const posted = form !== null && { method: 'POST', body: new URLSearchParams(form) };
    return fetch(`${world.url}/v26.0/dialog/oauth?${query}`, { redirect: 'manual', ...posted });
  }

  async function consent(granted: string[], more = {}): Promise<URL> {
    const ticked = granted.map((scope): [string, string] => ['granted', scope]);
    return new URL((await dialog([['user', MAYA], ...ticked], more)).headers.get('location') ?? '');
  }

  const exchange = (params: object) =>
    call('POST', 'oauth/access_token', { ...APP, redirect_uri: BACK, code_verifier: VERIFIER, ...params });
  const inspect = async (input_token: string) => {
    const access_token = `${APP.client_id}|${APP.client_secret}`;
    return ((await call('GET', 'debug_token', { input_token, access_token })) as { data: object }).data;
  };

  test('the dialog offers the users and the permissions, and redirects with a code or an error', async () => {
    const page = await (await dialog(null)).text();
    for (const text of ['Continue as Maya Chen', 'value="ads_management" checked', '>Cancel</button>'])
      expect(page).toContain(text);
    const back = await consent(['ads_read']);
    expect(back.href).toContain('http://localhost:3000/auth/callback?from=meta&code=');
    expect(back.searchParams.get('state')).toBe('s t/1');
    const refused = (await dialog([['cancel', '1']])).headers.get('location');
    expect(refused).toContain('error=access_denied');
  });

  test.each([
    [{ redirect_uri: 'https://evil.example/' }],
    [{ client_id: '5' }],
    [{ code_challenge_method: 'plain' }],
  ])('the dialog never redirects with %j', async (wrong) => {
    expect((await dialog(null, wrong)).status).toBe(400);
  });

  test('a declined permission is asked for again only with auth_type=rerequest', async () => {
    await consent(['ads_read']);
    for (const [more, scopes] of [
      [{}, ['public_profile', 'ads_read']],
      [{ auth_type: 'rerequest' }, ['public_profile', 'ads_management', 'ads_read']],
    ] as const) {
      const code = (await consent(['ads_management', 'ads_read'], more)).searchParams.get('code');
      const { access_token } = (await exchange({ code })) as { access_token: string };
      expect(await inspect(access_token)).toMatchObject({ is_valid: true, scopes });
    }
  });

  test('a code is exchanged once, for ten minutes, with the right values', async () => {
    const code = (await consent(['ads_read'])).searchParams.get('code') ?? '';
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
    const late = (await consent(['ads_read'])).searchParams.get('code');
    await world.post('/clock', { offsetMs: 601_000 });
    expect(await exchange({ code: late })).toMatchObject({ code: 100, error_subcode: 36007 });
  });

  test('a token can be extended and used until it expires, is invalidated, or the app is removed', async () => {
    const extension = { grant_type: 'fb_exchange_token', fb_exchange_token: token };
    expect(await exchange(extension)).toMatchObject({ expires_in: 5_183_944 });
    expect(await call('GET', 'me', { fields: 'id,name' })).toEqual({ id: MAYA, name: 'Maya Chen' });
    await world.post('/clock', { offsetMs: 61 * 86_400_000 });
    expect(await exchange(extension)).toMatchObject({ code: 190, error_subcode: 463 });
    await world.post('/clock', { offsetMs: 0 });
    expect(await call('DELETE', 'me/permissions')).toEqual({ success: true });
    expect(await call('GET', 'me')).toMatchObject({ code: 190, error_subcode: 458 });
    await world.post('/tokens/invalidate', { userId: MAYA });
    expect(await call('GET', 'me')).toMatchObject({ code: 190, error_subcode: 460 });
    expect(await inspect(token)).toMatchObject({ is_valid: false });
  });
});

test('requests are logged without their secrets; the control page lists what can be changed', async () => {
  await world.ask('DELETE', '/requests');
  await call('GET', 'me');
  await batch(operation(SALE));
  const requests = await world.requests();
  expect(requests).toMatchObject([
    { method: 'GET', path: '/v26.0/me', status: 200, secretInQuery: true },
    { method: 'POST', path: '/v26.0/', secretInQuery: false, batch: [operation(SALE)] },
  ]);
  expect(JSON.stringify(requests)).not.toContain(token);
  const page = await (await fetch(`${world.url}/_sim`)).text();
  for (const text of ['Maya Chen', 'Pause Hydration Serum', 'Juniper &amp; Vale'])
    expect(page).toContain(text);
});
