import { describe, expect, test } from 'vitest';
import type { GraphWorld } from './graph.fixture.ts';
import {
  ARCHIVED,
  DANIEL,
  DANIELS_ACCOUNT,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  SPRING_SALE,
  useGraph,
} from './graph.fixture.ts';

interface Page {
  data: Record<string, unknown>[];
  paging?: { cursors: { after: string }; next?: string };
}

let world: GraphWorld;

useGraph((started) => (world = started));

async function campaigns(params: Record<string, string> = {}): Promise<Page> {
  return (await world.call<Page>('GET', `${MAYAS_ACCOUNT}/campaigns`, params)).body;
}

async function idsWith(params: Record<string, string>): Promise<unknown[]> {
  return (await campaigns(params)).data.map(({ id }) => id);
}

describe('a response', () => {
  test('has the headers of the platform', async () => {
    const { headers } = await world.call('GET', 'me');
    expect(headers.get('content-type')).toBe('text/javascript; charset=UTF-8');
    expect(headers.get('facebook-api-version')).toBe('v26.0');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-app-usage')).toContain('call_count');
  });

  test('with an error has its trace id in the headers too', async () => {
    const { headers, body } = await world.call('GET', '123');
    expect(headers.get('x-fb-request-id')).toBe(body.error?.fbtrace_id);
    expect(headers.get('www-authenticate')).toContain('OAuth "Facebook Platform"');
  });

  test.each([
    ['/me', 200],
    ['/v25.0/me', 200],
    ['/v99.9/me/', 200],
    ['/v24.0/me', 400],
    ['/v3.2/me', 400],
  ])('to %s is %d', async (path, status) => {
    const answer = await fetch(`${world.url}${path}`, {
      headers: { authorization: `Bearer ${world.token}` },
    });
    expect(answer.status).toBe(status);
    if (status === 400) expect(await answer.text()).toContain('"code":2635');
  });

  test('has no ETag, and ignores If-None-Match', async () => {
    const headers = { 'if-none-match': '*' };
    const answer = await world.call('GET', SPRING_SALE, { fields: 'id,status' }, { headers });
    expect([answer.status, answer.body]).toEqual([200, { id: SPRING_SALE, status: 'ACTIVE' }]);
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('ignores the parameters that Meta removed: pretty, debug, date_format', async () => {
    const params = { fields: 'id,name' };
    const plain = await world.call('GET', SPRING_SALE, params);
    const removed = { pretty: '1', debug: 'all', date_format: 'U' };
    expect((await world.call('GET', SPRING_SALE, { ...params, ...removed })).text).toBe(plain.text);
  });

  test('to a malformed request is a platform error, not a crash', async () => {
    const json = { 'content-type': 'application/json', authorization: `Bearer ${world.token}` };
    const answer = await fetch(`${world.url}/v26.0/${SPRING_SALE}`, {
      method: 'POST',
      body: '{"',
      headers: json,
    });
    expect(answer.status).toBe(200);
    expect((await fetch(`${world.url}//`)).status).toBe(400);
    for (const params of [
      { effective_status: '[' },
      { effective_status: '["X"]' },
      { limit: '-1' },
      { after: 'x' },
      { fields: 'nope' },
    ])
      expect((await world.call('GET', `${MAYAS_ACCOUNT}/campaigns`, params)).body.error?.code).toBe(100);
  });
});

describe('a list of campaigns', () => {
  test('has 25 items by default and ends without a `next`', async () => {
    const token = await world.tokenOf(DANIEL);
    const pages: Page[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const params: Record<string, string> = after === '' ? {} : { after };
      const { body } = await world.call<Page>('GET', `${DANIELS_ACCOUNT}/campaigns`, params, { token });
      pages.push(body);
      after = body.paging?.next === undefined ? undefined : body.paging.cursors.after;
    }
    expect(pages.map(({ data }) => data.length)).toEqual([25, 15]);
    expect(pages[0]?.paging?.next).toContain(`access_token=${token}`);
  });

  test('continues at its cursor although that item no longer matches', async () => {
    const active = { effective_status: '["ACTIVE"]', limit: '2' };
    const first = await campaigns(active);
    const [, last] = first.data.map(({ id }) => String(id));
    await world.pause(last ?? '');
    const second = await campaigns({ ...active, after: first.paging?.cursors.after ?? '' });
    expect(second.data.map(({ id }) => id)).not.toContain(first.data[0]?.['id']);
    expect(second.data).toHaveLength(2);
  });

  test('omits archived and deleted campaigns unless they are requested', async () => {
    await world.post(`/campaigns/${HYDRATION}`, { status: 'DELETED' });
    expect(await idsWith({})).toHaveLength(4);
    expect(await idsWith({ effective_status: '["ARCHIVED"]' })).toEqual([ARCHIVED]);
    expect(await idsWith({ effective_status: '["ARCHIVED","DELETED"]' })).toEqual([HYDRATION, ARCHIVED]);
  });

  test('with a limit above 500 is rejected', async () => {
    const { status, body } = await world.call('GET', `${MAYAS_ACCOUNT}/campaigns`, { limit: '501' });
    expect([status, body.error?.code]).toEqual([500, 1]);
    expect(body.error?.message).toContain('Please reduce the amount of data');
  });

  test('has the requested fields that are not empty, and strings for budgets', async () => {
    const fields = 'name,status,effective_status,daily_budget,objective,smart_promotion_type';
    expect((await campaigns({ fields, limit: '1' })).data).toEqual([
      {
        id: SPRING_SALE,
        name: 'Spring Sale | Prospecting',
        status: 'ACTIVE',
        effective_status: 'ACTIVE',
        daily_budget: '45000',
        objective: 'OUTCOME_SALES',
      },
    ]);
  });

  test('has the times between which a campaign is delivered', async () => {
    await world.post(`/campaigns/${SPRING_SALE}`, { stop_time: '2026-03-16T19:30:00-0400' });
    expect((await campaigns({ fields: 'start_time,stop_time', limit: '1' })).data).toEqual([
      { id: SPRING_SALE, stop_time: '2026-03-16T19:30:00-0400' },
    ]);
  });
});

describe('access', () => {
  test('is limited to the user’s accounts', async () => {
    const { body } = await world.call<Page>('GET', 'me/adaccounts', { fields: 'id,account_status,currency' });
    expect(body.data).toEqual([
      { id: MAYAS_ACCOUNT, account_status: 1, currency: 'USD' },
      { id: 'act_1048576203948999', account_status: 1, currency: 'USD' },
    ]);
    const foreign = await world.call('GET', `${DANIELS_ACCOUNT}/campaigns`);
    expect([foreign.status, foreign.body.error?.code]).toEqual([403, 200]);
    const campaign = await world.call('GET', '238501199220010001');
    expect(campaign.body.error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await world.call('GET', 'act_1/campaigns')).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    });
  });

  test('needs a permission', async () => {
    const none = await world.tokenOf(MAYA, ['public_profile']);
    for (const path of ['me/adaccounts', `${MAYAS_ACCOUNT}/campaigns`, SPRING_SALE])
      expect((await world.call('GET', path, {}, { token: none })).body.error?.code).toBe(200);
    const reader = await world.tokenOf(MAYA, ['ads_read']);
    expect((await world.call('GET', SPRING_SALE, {}, { token: reader })).status).toBe(200);
    const write = await world.call('POST', SPRING_SALE, { status: 'PAUSED' }, { token: reader });
    expect([write.status, write.body.error?.code]).toEqual([403, 200]);
  });

  test('needs a token, as a header or a parameter', async () => {
    expect(await (await fetch(`${world.url}/v26.0/me`)).text()).toContain('"code":2500');
    expect((await fetch(`${world.url}/v26.0/me?access_token=${world.token}`)).status).toBe(200);
    expect((await world.call('GET', 'me', {}, { token: 'EAABnonsense' })).body.error?.code).toBe(190);
  });
});

test('the root rejects `?ids=`, which Meta removed', async () => {
  const { status, body } = await world.call('GET', '', { ids: `${SPRING_SALE},${HYDRATION}` });
  expect([status, body.error?.code, body.error?.type]).toEqual([400, 100, 'GraphMethodException']);
});
