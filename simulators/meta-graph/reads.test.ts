import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ARCHIVED,
  DANIEL,
  DANIELS_ACCOUNT,
  GraphWorld,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  SPRING_SALE,
} from '../fixtures/graph.fixture.ts';

interface Page {
  data: Record<string, unknown>[];
  paging?: { cursors: { before: string; after: string }; next?: string; previous?: string };
  summary?: { total_count: number };
}

let world: GraphWorld;

beforeAll(async () => {
  world = await GraphWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.server.close());

async function campaigns(params: Record<string, string> = {}): Promise<Page> {
  return (await world.call<Page>('GET', `${MAYAS_ACCOUNT}/campaigns`, params)).body;
}

async function idsWith(params: Record<string, string>): Promise<unknown[]> {
  return (await campaigns(params)).data.map(({ id }) => id);
}

describe('an answer', () => {
  test('has the headers of the platform', async () => {
    const { headers } = await world.call('GET', 'me');
    expect(headers.get('content-type')).toBe('text/javascript; charset=UTF-8');
    expect(headers.get('facebook-api-version')).toBe('v26.0');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-app-usage')).toContain('call_count');
  });

  test('of an error has its trace id in the headers too', async () => {
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
  ])('of %s is %d', async (path, status) => {
    const answer = await fetch(`${world.url}${path}`, {
      headers: { authorization: `Bearer ${world.token}` },
    });
    expect(answer.status).toBe(status);
    if (status === 400) expect(await answer.text()).toContain('"code":2635');
  });

  test('has no ETag, and ignores one that is sent', async () => {
    const headers = { 'if-none-match': '*' };
    const answer = await world.call('GET', SPRING_SALE, { fields: 'id,status' }, { headers });
    expect([answer.status, answer.body]).toEqual([200, { id: SPRING_SALE, status: 'ACTIVE' }]);
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('ignores the parameters that Meta removed: pretty, debug, date_format', async () => {
    const params = { fields: 'id,created_time' };
    const plain = await world.call('GET', SPRING_SALE, params);
    const removed = { pretty: '1', debug: 'all', date_format: 'U' };
    expect((await world.call('GET', SPRING_SALE, { ...params, ...removed })).text).toBe(plain.text);
  });

  test('to nonsense is an error of the platform, not a breakdown', async () => {
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
      { filtering: '{' },
      { limit: '-1' },
      { after: 'x' },
      { fields: 'nope' },
    ])
      expect((await world.call('GET', `${MAYAS_ACCOUNT}/campaigns`, params)).body.error?.code).toBe(100);
  });
});

describe('a list of campaigns', () => {
  test('holds 25 by default and ends where there is no next', async () => {
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
    expect(pages[1]?.paging?.previous).toContain('before=');
  });

  test('goes on where it was although the last one no longer passes', async () => {
    const active = { effective_status: '["ACTIVE"]', limit: '2' };
    const first = await campaigns(active);
    const [, last] = first.data.map(({ id }) => String(id));
    await world.pause(last ?? '');
    const second = await campaigns({ ...active, after: first.paging?.cursors.after ?? '' });
    expect(second.data.map(({ id }) => id)).not.toContain(first.data[0]?.['id']);
    expect(second.data).toHaveLength(2);
  });

  test('may be shorter than asked for and yet go on', async () => {
    await world.sim('POST', '/settings', { shortPages: true });
    const page = await campaigns({ limit: '4' });
    expect(page.data).toHaveLength(2);
    expect(page.paging?.next).toBeDefined();
  });

  test('leaves out the archived and deleted unless they are asked for', async () => {
    await world.sim('POST', `/campaigns/${HYDRATION}`, { status: 'DELETED' });
    expect(await idsWith({})).toHaveLength(4);
    expect(await idsWith({ effective_status: '["ARCHIVED"]' })).toEqual([ARCHIVED]);
    expect(await idsWith({ 'effective_status[0]': 'ARCHIVED', 'effective_status[1]': 'DELETED' })).toEqual([
      HYDRATION,
      ARCHIVED,
    ]);
  });

  test.each([
    [[{ field: 'effective_status', operator: 'IN', value: ['PAUSED'] }], 1],
    [[{ field: 'campaign.effective_status', operator: 'IN', value: ['ACTIVE', 'PAUSED'] }], 5],
    [[{ field: 'name', operator: 'CONTAIN', value: 'spring' }], 1],
    [[{ field: 'updated_time', operator: 'GREATER_THAN', value: 1_893_456_000 }], 0],
  ])('can be filtered by %j', async (filtering, count) => {
    expect(await idsWith({ filtering: JSON.stringify(filtering) })).toHaveLength(count);
  });

  test('counts on request', async () => {
    expect((await campaigns({ limit: '1', summary: 'true' })).summary).toEqual({ total_count: 5 });
    expect((await campaigns({ limit: '1' })).summary).toBeUndefined();
  });

  test('is refused beyond 500', async () => {
    const { status, body } = await world.call('GET', `${MAYAS_ACCOUNT}/campaigns`, { limit: '501' });
    expect([status, body.error?.code]).toEqual([500, 1]);
    expect(body.error?.message).toContain('Please reduce the amount of data');
  });

  test('speaks in texts: ids, budgets, times in the zone of the account', async () => {
    const fields = 'name,status,effective_status,daily_budget,lifetime_budget,objective,updated_time';
    expect((await campaigns({ fields, limit: '1' })).data).toEqual([
      {
        id: SPRING_SALE,
        name: 'Spring Sale | Prospecting',
        status: 'ACTIVE',
        effective_status: 'ACTIVE',
        daily_budget: '45000',
        objective: 'OUTCOME_SALES',
        updated_time: expect.stringMatching(/^2025-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]00$/) as string,
      },
    ]);
  });
});

describe('access', () => {
  test('to accounts is that of the person', async () => {
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

  test('needs a token, by header or by parameter', async () => {
    expect(await (await fetch(`${world.url}/v26.0/me`)).text()).toContain('"code":2500');
    expect((await fetch(`${world.url}/v26.0/me?access_token=${world.token}`)).status).toBe(200);
    expect((await world.call('GET', 'me', {}, { token: 'EAABnonsense' })).body.error?.code).toBe(190);
  });
});

test('the root refuses `?ids=`, which Meta removed', async () => {
  const { status, body } = await world.call('GET', '', { ids: `${SPRING_SALE},${HYDRATION}` });
  expect([status, body.error?.code, body.error?.type]).toEqual([400, 100, 'GraphMethodException']);
});
