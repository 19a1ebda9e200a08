import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ARCHIVED,
  GraphWorld,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  SPRING_SALE,
  pausing,
} from '../fixtures/graph.fixture.ts';

let world: GraphWorld;

beforeAll(async () => {
  world = await GraphWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.server.close());

describe('a change of status', () => {
  test('is done and written down', async () => {
    expect((await world.pause(SPRING_SALE)).body).toEqual({ success: true });
    expect(await world.statusOf(SPRING_SALE)).toBe('PAUSED');
    expect(await world.writes()).toMatchObject([
      {
        campaign: SPRING_SALE,
        account: MAYAS_ACCOUNT,
        status: 'PAUSED',
        previous: 'ACTIVE',
        token_user: MAYA,
      },
    ]);
  });

  test('can come as a form, as JSON or in the query', async () => {
    const url = `${world.url}/v26.0/${SPRING_SALE}`;
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ status: 'PAUSED' }) });
    await fetch(`${url}?status=ACTIVE&access_token=${world.token}`, { method: 'POST' });
    expect((await world.writes()).map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('can give back what was written', async () => {
    const params = { status: 'PAUSED', fields: 'id,status' };
    expect((await world.call('POST', SPRING_SALE, params)).body).toEqual({
      id: SPRING_SALE,
      status: 'PAUSED',
    });
  });

  test('can be only tried', async () => {
    const params = { status: 'PAUSED', execution_options: '["validate_only"]' };
    expect((await world.call('POST', SPRING_SALE, params)).body).toEqual({ success: true });
    expect(await world.writes()).toEqual([]);
    expect((await world.call('POST', ARCHIVED, { ...params, status: 'ACTIVE' })).body.error?.code).toBe(100);
  });

  test('leads from archived to deleted only, and nowhere from there', async () => {
    expect((await world.pause(ARCHIVED)).body.error?.code).toBe(100);
    expect((await world.call('DELETE', ARCHIVED)).body).toEqual({ success: true });
    expect((await world.pause(ARCHIVED)).body.error).toMatchObject({ code: 100, error_subcode: 1487566 });
  });

  test('is refused in an account that is not active', async () => {
    const token = await world.tokenOf('122093847561099123');
    const { body } = await world.call('POST', '441882001110010001', { status: 'PAUSED' }, { token });
    expect(body.error?.code).toBe(2615);
  });
});

describe('the activities of an account', () => {
  test('tell our changes from those by hand', async () => {
    await world.pause(SPRING_SALE);
    const actor = { id: '77', name: 'Jo at the agency' };
    await world.sim('POST', `/campaigns/${SPRING_SALE}`, { status: 'ACTIVE', daily_budget: '50000', actor });
    await world.sim('POST', `/campaigns/${HYDRATION}`, { name: 'Serum' });
    const fields = 'event_type,actor_name,application_id,object_id,extra_data';
    const read = async (params: object): Promise<unknown[]> => {
      const answer = await world.call<{ data: unknown[] }>('GET', `${MAYAS_ACCOUNT}/activities`, {
        fields,
        ...params,
      });
      return answer.body.data;
    };
    expect(await read({ category: 'STATUS', oid: SPRING_SALE })).toEqual([
      {
        event_type: 'update_campaign_run_status',
        actor_name: 'Jo at the agency',
        application_id: '119211728144504',
        object_id: SPRING_SALE,
        extra_data: '{"old_value":"PAUSED","new_value":"ACTIVE"}',
      },
      {
        event_type: 'update_campaign_run_status',
        actor_name: 'Maya Chen',
        application_id: '1000000000000001',
        object_id: SPRING_SALE,
        extra_data: '{"old_value":"ACTIVE","new_value":"PAUSED"}',
      },
    ]);
    expect(await read({})).toHaveLength(4);
    expect(await read({ since: String(Math.floor(Date.now() / 1000) + 60) })).toEqual([]);
    expect(await read({ until: '2020-01-01' })).toEqual([]);
  });
});

describe('a legacy Advantage+ campaign', () => {
  const LEGACY = '7700001';

  beforeEach(() => {
    const campaigns = ['AUTOMATED_SHOPPING_ADS', 'SMART_APP_PROMOTION', 'GUIDED_CREATION'].map(
      (smart_promotion_type, index) => ({ id: `${LEGACY}${index}`, name: 'Catalog', smart_promotion_type }),
    );
    const account = { id: 'act_77', name: 'Shop', currency: 'USD', campaigns };
    const users = [{ id: MAYA, name: 'Maya Chen', accounts: [account] }];
    return world.sim('POST', '/seed', { users });
  });

  test.each([
    [`${LEGACY}0`, 400, 'ACTIVE'],
    [`${LEGACY}1`, 400, 'ACTIVE'],
    [`${LEGACY}2`, 200, 'PAUSED'],
  ])('%s: a pause through the API is answered with %d', async (id, status, after) => {
    expect((await world.pause(id)).status).toBe(status);
    expect(await world.statusOf(id)).toBe(after);
  });

  test('is listed with its type', async () => {
    const { body } = await world.call('GET', `${LEGACY}0`, { fields: 'smart_promotion_type' });
    expect(body['smart_promotion_type']).toBe('AUTOMATED_SHOPPING_ADS');
  });
});

describe('a batch', () => {
  test('is answered in order, each operation by itself', async () => {
    const { status, body } = await world.batch([
      ...pausing(SPRING_SALE, '5'),
      { method: 'GET', relative_url: `v26.0/${SPRING_SALE}?fields=status` },
    ]);
    expect(status).toBe(200);
    expect(body.map((entry) => entry?.code)).toEqual([200, 400, 200]);
    expect(body[0]?.body).toBe('{"success":true}');
    expect(body[2]?.body).toContain('"status":"PAUSED"');
    const names = body[2]?.headers?.map(({ name }) => name);
    expect(names).toContain('X-Business-Use-Case-Usage');
  });

  test('may be sent to any path and without inner headers', async () => {
    const batch = JSON.stringify(pausing(SPRING_SALE));
    const { body } = await world.call<object[]>('POST', 'me', { batch, include_headers: 'false' });
    expect(body[0]).toEqual({ code: 200, body: '{"success":true}' });
  });

  test('gives an operation no ETag, ignores one that is sent, and refuses `?ids=`', async () => {
    const { body } = await world.batch([
      { method: 'GET', relative_url: `${SPRING_SALE}?fields=id`, headers: ['If-None-Match: *'] },
      { method: 'GET', relative_url: `?ids=${SPRING_SALE}` },
    ]);
    expect(body.map((entry) => entry?.code)).toEqual([200, 400]);
    expect(body[0]?.headers?.map(({ name }) => name.toLowerCase())).not.toContain('etag');
  });

  test('takes another token for each operation', async () => {
    const daniel = await world.tokenOf('122093847561055501');
    const { body } = await world.batch([
      { method: 'GET', relative_url: 'me' },
      { method: 'GET', relative_url: `me?access_token=${daniel}` },
      { method: 'POST', relative_url: '238501199220010001', body: `status=PAUSED&access_token=${daniel}` },
    ]);
    expect(body.map((entry) => entry?.body)).toEqual([
      expect.stringContaining('Maya Chen'),
      expect.stringContaining('Daniel Okafor'),
      '{"success":true}',
    ]);
    const { requests } = await world.sim<{ requests: object[] }>('GET', '/requests');
    expect(JSON.stringify(requests)).not.toContain(daniel);
  });

  test('knows operations of an old version', async () => {
    const { body } = await world.batch([{ method: 'GET', relative_url: 'v24.0/me' }]);
    expect(body[0]?.body).toContain('"code":2635');
  });

  test('of 51 is refused whole', async () => {
    const operations = pausing(...Array.from({ length: 51 }, () => SPRING_SALE));
    const { status, body } = await world.batch(operations);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: {
        message: 'Too many requests in batch message. Maximum batch size is 50',
        type: 'GraphBatchException',
      },
    });
    expect(await world.writes()).toEqual([]);
    expect((await world.batch(operations.slice(1))).body).toHaveLength(50);
  });

  test('needs a token of its own', async () => {
    const { body } = await world.call('POST', '', { batch: '[]' }, { token: 'x' });
    expect(body.error?.code).toBe(190);
  });
});
