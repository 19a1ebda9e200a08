import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { GraphWorld } from './graph.fixture.ts';
import { ACCOUNT, ARCHIVED, MAYA, NEWSLETTER, SALE, SERUM, pausing, useGraph } from './graph.fixture.ts';

interface Page {
  data: Record<string, unknown>[];
  paging?: { cursors: { after: string }; next?: string };
}

let world: GraphWorld;

useGraph((started) => (world = started));

/** The error of each operation of a batch of pauses; -1: null, undefined: none. */
async function codes(...ids: string[]): Promise<(number | undefined)[]> {
  const { body } = await world.batch(pausing(...ids));
  return body.map((entry) =>
    entry === null ? -1 : (JSON.parse(entry.body) as { error?: { code: number } }).error?.code,
  );
}

const campaigns = async (params: Record<string, string>): Promise<Page> =>
  (await world.call<Page>('GET', `${ACCOUNT}/campaigns`, params)).body;

describe('reads', () => {
  test('a list has the requested fields that are not empty, and continues at its cursor', async () => {
    await world.post(`/campaigns/${SALE}`, { stop_time: '2026-03-16T19:30:00-0400' });
    const fields = 'name,status,daily_budget,objective,smart_promotion_type,start_time,stop_time';
    const first = await campaigns({ fields, limit: '1' });
    expect(first.data).toEqual([
      {
        ...{ id: SALE, name: 'Spring Sale | Prospecting', status: 'ACTIVE', daily_budget: '45000' },
        ...{ objective: 'OUTCOME_SALES', stop_time: '2026-03-16T19:30:00-0400' },
      },
    ]);
    expect(first.paging?.next).toContain(`access_token=${world.token}`);
    await world.post(`/campaigns/${SALE}`, { status: 'ARCHIVED' });
    const after = first.paging?.cursors.after ?? '';
    const second = await campaigns({ limit: '9', after });
    expect(second.data.map(({ id }) => id)).toEqual([
      SERUM,
      NEWSLETTER,
      expect.anything(),
      expect.anything(),
    ]);
    expect(second.paging?.next).toBeUndefined();
    const archived = await campaigns({ effective_status: '["ARCHIVED"]' });
    expect(archived.data.map(({ id }) => id)).toEqual([SALE, ARCHIVED]);
  });

  test('the activity log distinguishes our changes from external ones', async () => {
    await world.pause(SALE);
    await world.post(`/campaigns/${SALE}`, { status: 'ACTIVE' });
    await world.post(`/campaigns/${SERUM}`, { name: 'Serum' });
    const fields = 'event_type,application_id,object_id,extra_data';
    const read = async (params: object): Promise<unknown> =>
      (await world.call<Page>('GET', `${ACCOUNT}/activities`, { fields, category: 'STATUS', ...params })).body
        .data;
    const extra = (from: string, to: string): string => JSON.stringify({ old_value: from, new_value: to });
    const change = { event_type: 'update_campaign_run_status', object_id: SALE };
    expect(await read({})).toMatchObject([
      { ...change, application_id: '119211728144504', extra_data: extra('PAUSED', 'ACTIVE') },
      { ...change, application_id: '1000000000000001', extra_data: extra('ACTIVE', 'PAUSED') },
    ]);
    expect(await read({ since: String(Math.floor(Date.now() / 1000) + 60) })).toEqual([]);
  });

  test.each([
    ['an unknown field', `${ACCOUNT}/campaigns`, { fields: 'nope' }, { code: 100 }],
    ['an unknown cursor', `${ACCOUNT}/campaigns`, { after: 'x' }, { code: 100 }],
    ['a page that is too large', `${ACCOUNT}/campaigns`, { limit: '501' }, { code: 1 }],
    ['an account of others', 'act_2204891133870012/campaigns', {}, { code: 200 }],
    ['an unknown object', '5', {}, { code: 100, error_subcode: 33 }],
    ['the root', '', {}, { code: 100 }],
  ])('%s is refused', async (_title, path, params, error) => {
    expect((await world.call('GET', path, params)).body.error).toMatchObject(error);
  });
});

describe('writes', () => {
  test('a status is changed and recorded; an archived campaign stays archived', async () => {
    expect((await world.pause(SALE)).body).toEqual({ success: true });
    expect(await world.statusOf(SALE)).toBe('PAUSED');
    const write = {
      campaign: SALE,
      account: ACCOUNT,
      status: 'PAUSED',
      previous: 'ACTIVE',
      token_user: MAYA,
    };
    expect(await world.writes()).toMatchObject([write]);
    expect((await world.pause(ARCHIVED)).body.error).toMatchObject({ code: 100, error_subcode: 1487566 });
  });

  test('needs the permission, an active account, and no legacy Advantage+ campaign', async () => {
    const reader = await world.tokenOf(MAYA, ['ads_read']);
    const status = { status: 'PAUSED' };
    expect((await world.call('POST', SALE, status, { token: reader })).body.error?.code).toBe(200);
    const old = { id: '71', name: 'Catalog', smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' };
    const shop = { name: 'Shop', currency: 'USD' };
    const accounts = [
      { id: 'act_7', ...shop, campaigns: [old] },
      { id: 'act_8', ...shop, account_status: 2, campaigns: [{ id: '81', name: 'Closed' }] },
    ];
    await world.post('/seed', { users: [{ id: MAYA, name: 'Maya', accounts }] });
    world.token = await world.tokenOf(MAYA);
    expect((await world.pause('71')).body.error?.code).toBe(100);
    expect((await world.pause('81')).body.error?.code).toBe(2615);
  });

  test('a batch of at most 50 has a result for each operation', async () => {
    const read = { method: 'GET', relative_url: `${SALE}?fields=status` };
    const { status, body } = await world.batch([...pausing(SALE, '5'), read]);
    expect([status, ...body.map((entry) => entry?.code)]).toEqual([200, 200, 400, 200]);
    expect(body[2]?.body).toContain('"status":"PAUSED"');
    const many = pausing(...Array.from({ length: 51 }, () => SALE));
    expect((await world.batch(many)).status).toBe(400);
    expect((await world.batch(many.slice(1))).body).toHaveLength(50);
  });

  test('the development tier allows 20 writes in five minutes, and says so in its headers', async () => {
    await world.post('/limits', { tier: 'development_access' });
    const filled = await codes(...Array.from({ length: 21 }, () => SALE));
    expect(filled.findIndex((code) => code !== undefined)).toBe(20);
    const { body, headers } = await world.pause(SERUM);
    expect(body.error).toMatchObject({ code: 17, error_subcode: 2446079 });
    expect(headers.get('x-ad-account-usage')).toContain('"ads_api_access_tier":"development_access"');
    expect(headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":5');
    await world.post('/clock', { offsetMs: 301_000 });
    expect((await world.pause(SERUM)).status).toBe(200);
  });
});

describe('faults', () => {
  test('an error is returned in the platform’s envelope, as often as ordered', async () => {
    const words = { userTitle: 'Campaign has ended', userMessage: 'The end date is in the past.' };
    await world.fault({ kind: 'error', code: 100, subcode: 1487000, http: 500, times: 2, ...words });
    for (const status of [500, 500, 200]) expect((await world.pause(SALE)).status).toBe(status);
    await world.fault({ kind: 'error', code: 4, ...words });
    expect((await world.pause(SALE)).body.error).toMatchObject({
      ...{ code: 4, is_transient: true, type: 'OAuthException' },
      ...{ error_user_title: words.userTitle, error_user_msg: words.userMessage },
    });
    expect(await world.paused()).toEqual([SALE]);
  });

  test.each([
    ['a campaign', { campaign: SERUM }, [undefined, 2, undefined]],
    ['a campaign, in match', { match: { campaign: SERUM } }, [undefined, 2, undefined]],
    ['inner operations', { op: 'inner', times: 2 }, [2, 2, undefined]],
    ['a path', { path: `^/${NEWSLETTER}$` }, [undefined, undefined, 2]],
    ['another campaign', { campaign: '1' }, [undefined, undefined, undefined]],
  ])('can be limited to %s', async (_title, aim, expected) => {
    await world.fault({ kind: 'error', code: 2, ...aim });
    expect(await codes(SALE, SERUM, NEWSLETTER)).toEqual(expected);
  });

  test.each([{ op: 'outer' }, { account: ACCOUNT }, { user: MAYA }, { op: 'outer', campaign: SERUM }])(
    'can refuse a whole batch: %j',
    async (aim) => {
      await world.fault({ kind: 'error', code: 2, ...aim });
      expect((await world.batch(pausing(SALE, SERUM))).body).toMatchObject({ error: { code: 2 } });
      expect(await world.paused()).toEqual([]);
    },
  );

  test('leave the outcome unreported, done or not', async () => {
    await world.fault({ kind: 'null_entry', campaign: SALE });
    await world.fault({ kind: 'null_entry_applied', campaign: SERUM });
    await world.fault({ kind: 'applied_but_error', code: 1, campaign: NEWSLETTER });
    expect(await codes(SALE, SERUM, NEWSLETTER)).toEqual([-1, -1, 1]);
    await world.fault({ kind: 'reset' });
    await expect(world.pause(SALE)).rejects.toThrow();
    await world.fault({ kind: 'html', http: 503 });
    expect((await world.pause(SALE)).status).toBe(503);
    expect(await world.paused()).toEqual([SERUM, NEWSLETTER]);
    await world.fault({ kind: 'reset_after' });
    await expect(world.pause(SALE)).rejects.toThrow();
    await world.fault({ kind: 'truncated' });
    expect((await world.pause(SERUM)).text).toBe('{"succes');
    expect(await world.paused()).toEqual([SERUM, NEWSLETTER, SALE, SERUM]);
  });

  test('park a request before it is done, until it is released; one whose client has left is dropped', async () => {
    const id = await world.fault({ kind: 'hang_before', times: 2 });
    const kept = world.pause(SALE);
    const client = new AbortController();
    const left = world.pause(SERUM, client.signal);
    await waitFor('both to be parked', async () => (await world.parked(id)) === 2);
    client.abort();
    await expect(left).rejects.toThrow();
    await waitFor('one to be dropped', async () => (await world.parked(id)) === 1);
    await world.post(`/faults/${id}/release`);
    expect((await kept).status).toBe(200);
    expect(await world.paused()).toEqual([SALE]);
  });

  test('park a response, or apply a request late although its client has left', async () => {
    const after = await world.fault({ kind: 'hang_after' });
    const answer = world.pause(SALE);
    await waitFor('it to be parked', async () => (await world.parked(after)) === 1);
    expect(await world.paused()).toEqual([SALE]);
    await world.ask('DELETE', '/faults');
    expect((await answer).status).toBe(200);
    const late = await world.fault({ kind: 'hang_before', applyOnRelease: true });
    const client = new AbortController();
    const left = world.pause(SERUM, client.signal);
    await waitFor('it to be parked', async () => (await world.parked(late)) === 1);
    client.abort();
    await expect(left).rejects.toThrow();
    await world.post(`/faults/${late}/release`);
    await waitFor('it to be applied', async () => (await world.paused()).includes(SERUM));
  });

  test('stale_read returns the old status for a while', async () => {
    await world.fault({ kind: 'stale_read', ms: 60_000 });
    await world.pause(SALE);
    expect(await world.statusOf(SALE)).toBe('ACTIVE');
    await world.post('/clock', { offsetMs: 61_000 });
    expect(await world.statusOf(SALE)).toBe('PAUSED');
  });

  test.each([
    ['/faults', '{"kind":"nonsense"}', 400, /kind must be one of error, /],
    ['/faults', '{"kind":"error","campagin":"1"}', 400, /campagin/],
    ['/faults', '{', 400, /the body is no JSON/],
    ['/campaigns/5', '{"status":"PAUSED"}', 404, /there is no campaign 5/],
    ['/nothing', '', 404, /no control/],
  ])('an order that is wrong is refused: %s %s', async (path, body, status, message) => {
    const answer = await fetch(`${world.url}/_sim${path}`, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(message)]);
  });
});

test('requests are logged without their secrets', async () => {
  await world.ask('DELETE', '/requests');
  await fetch(`${world.url}/v26.0/me?access_token=${world.token}&fields=id`);
  await world.batch(pausing(SALE));
  const requests = await world.requests();
  const batch = [{ method: 'POST', relative_url: SALE, body: 'status=PAUSED' }];
  expect(requests).toMatchObject([
    { method: 'GET', path: '/v26.0/me', status: 200, secretInQuery: true },
    { method: 'POST', path: '/v26.0/', status: 200, secretInQuery: false, batch },
  ]);
  expect(JSON.stringify(requests)).not.toContain(world.token);
});

test('the control page changes campaigns and lists what was ordered', async () => {
  await world.fault({ kind: 'error', code: 2 });
  const page = await (await fetch(`${world.url}/_sim`)).text();
  for (const text of [
    'Maya Chen',
    'Pause Spring Sale | Prospecting',
    'Juniper &amp; Vale',
    'error 2: applied 0 of 1',
  ])
    expect(page).toContain(text);
});
