import { beforeEach, describe, expect, test } from 'vitest';
import type { GraphWorld } from './graph.fixture.ts';
import {
  ARCHIVED,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  NEWSLETTER,
  SPRING_SALE,
  pausing,
  useGraph,
} from './graph.fixture.ts';

let world: GraphWorld;

useGraph((started) => (world = started));

describe('a change of status', () => {
  test('is applied and recorded', async () => {
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

  test('accepts a form, JSON or query parameters', async () => {
    const url = `${world.url}/v26.0/${SPRING_SALE}`;
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ status: 'PAUSED' }) });
    await fetch(`${url}?status=ACTIVE&access_token=${world.token}`, { method: 'POST' });
    expect((await world.writes()).map(({ status }) => status)).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('from archived leads only to deleted, and from deleted nowhere', async () => {
    expect((await world.pause(ARCHIVED)).body.error?.code).toBe(100);
    expect((await world.call('POST', ARCHIVED, { status: 'DELETED' })).body).toEqual({ success: true });
    expect((await world.pause(ARCHIVED)).body.error).toMatchObject({ code: 100, error_subcode: 1487566 });
  });

  test('is rejected in an inactive account', async () => {
    const token = await world.tokenOf('122093847561099123');
    const { body } = await world.call('POST', '441882001110010001', { status: 'PAUSED' }, { token });
    expect(body.error?.code).toBe(2615);
  });
});

test('the activities of an account distinguish our changes from external ones', async () => {
  await world.pause(SPRING_SALE);
  await world.post(`/campaigns/${SPRING_SALE}`, { status: 'ACTIVE' });
  await world.post(`/campaigns/${HYDRATION}`, { name: 'Serum' });
  const read = async (params: Record<string, string>): Promise<unknown[]> => {
    const fields = 'event_type,application_id,object_id,extra_data';
    const path = `${MAYAS_ACCOUNT}/activities`;
    return (await world.call<{ data: unknown[] }>('GET', path, { fields, ...params })).body.data;
  };
  const change = { event_type: 'update_campaign_run_status', object_id: SPRING_SALE };
  expect(await read({ category: 'STATUS' })).toEqual([
    {
      ...change,
      application_id: '119211728144504',
      extra_data: '{"old_value":"PAUSED","new_value":"ACTIVE"}',
    },
    {
      ...change,
      application_id: '1000000000000001',
      extra_data: '{"old_value":"ACTIVE","new_value":"PAUSED"}',
    },
  ]);
  expect(await read({})).toHaveLength(3);
  expect(await read({ since: String(Math.floor(Date.now() / 1000) + 60) })).toEqual([]);
});

test('changes of one campaign are refused for good by an order, with words for the user', async () => {
  const words = { userTitle: 'Campaign has ended', userMessage: 'The end date is in the past.' };
  const order = { kind: 'error', code: 100, subcode: 1487000, times: 0, ...words };
  await world.fault({ ...order, method: 'POST', campaign: SPRING_SALE });
  for (const other of [HYDRATION, NEWSLETTER]) {
    const { body } = await world.batch(pausing(SPRING_SALE, other));
    expect(body.map((entry) => entry?.code)).toEqual([400, 200]);
    expect(body[0]?.body).toContain('"error_user_title":"Campaign has ended"');
    expect(body[0]?.body).toContain('"error_user_msg":"The end date is in the past."');
  }
  expect(await world.statusOf(SPRING_SALE)).toBe('ACTIVE');
});

describe('a legacy Advantage+ campaign', () => {
  const LEGACY = '7700001';

  beforeEach(() => {
    const campaigns = ['AUTOMATED_SHOPPING_ADS', 'SMART_APP_PROMOTION', 'GUIDED_CREATION'].map(
      (smart_promotion_type, index) => ({ id: `${LEGACY}${index}`, name: 'Catalog', smart_promotion_type }),
    );
    const account = { id: 'act_77', name: 'Shop', currency: 'USD', campaigns };
    const users = [{ id: MAYA, name: 'Maya Chen', accounts: [account] }];
    return world.post('/seed', { users });
  });

  test.each([
    [`${LEGACY}0`, 400, 'ACTIVE'],
    [`${LEGACY}1`, 400, 'ACTIVE'],
    [`${LEGACY}2`, 200, 'PAUSED'],
  ])('%s: a pause through the API returns %d', async (id, status, after) => {
    expect((await world.pause(id)).status).toBe(status);
    expect(await world.statusOf(id)).toBe(after);
  });

  test('is listed with its type', async () => {
    const { body } = await world.call('GET', `${LEGACY}0`, { fields: 'smart_promotion_type' });
    expect(body['smart_promotion_type']).toBe('AUTOMATED_SHOPPING_ADS');
  });
});

describe('a batch', () => {
  test('returns results in order, one for each operation', async () => {
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

  test('can be sent to any path, without inner headers', async () => {
    const batch = JSON.stringify(pausing(SPRING_SALE));
    const { body } = await world.call<object[]>('POST', 'me', { batch, include_headers: 'false' });
    expect(body[0]).toEqual({ code: 200, body: '{"success":true}' });
  });

  test('rejects an operation with `?ids=`', async () => {
    const { body } = await world.batch([{ method: 'GET', relative_url: `?ids=${SPRING_SALE}` }]);
    expect(body[0]?.code).toBe(400);
  });

  test('accepts operations of an old version', async () => {
    const { body } = await world.batch([{ method: 'GET', relative_url: 'v24.0/me' }]);
    expect(body[0]?.body).toContain('"code":2635');
  });

  test('of 51 operations is rejected as a whole', async () => {
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
