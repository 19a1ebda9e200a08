import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order, parkedAt, until } from '../fixtures/door.fixture.ts';
import type { Reply } from '../fixtures/graph.fixture.ts';
import {
  GraphWorld,
  HYDRATION,
  MAYA,
  MAYAS_ACCOUNT,
  NEWSLETTER,
  SPRING_SALE,
  pausing,
} from '../fixtures/graph.fixture.ts';

let world: GraphWorld;

beforeAll(async () => {
  world = await GraphWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.server.close());

async function codes(...ids: string[]): Promise<(number | undefined)[]> {
  const { body } = await world.batch(pausing(...ids));
  return body.map((entry) =>
    entry === null ? -1 : (JSON.parse(entry.body ?? '{}') as Reply['body']).error?.code,
  );
}

const paused = async (): Promise<string[]> => (await world.writes()).map(({ campaign }) => campaign);

describe('an injected error', () => {
  test.each([
    [{ code: 2 }, 400, { code: 2, is_transient: true, message: 'Service temporarily unavailable' }],
    [{ code: 2, http: 500 }, 500, { code: 2 }],
    [{ code: 80004, subcode: 2446079 }, 400, { code: 80004, error_subcode: 2446079 }],
    [{ code: 4, message: 'Enough' }, 403, { code: 4, is_transient: true, message: 'Enough' }],
    [{ code: 368, transient: true }, 400, { code: 368, is_transient: true }],
    [{ code: 190, subcode: 460 }, 401, { code: 190, error_subcode: 460, type: 'OAuthException' }],
  ])('%j comes in the envelope of the platform', async (fault, status, error) => {
    await order(world.url, { kind: 'error', ...fault });
    const refused = await world.pause(SPRING_SALE);
    expect(refused.status).toBe(status);
    expect(refused.body.error).toMatchObject(error);
    expect(await paused()).toEqual([]);
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });

  test('can carry headers', async () => {
    await order(world.url, {
      kind: 'error',
      code: 80004,
      headers: { 'x-ad-account-usage': '{"acc_id_util_pct":100}' },
    });
    expect((await world.pause(SPRING_SALE)).headers.get('x-ad-account-usage')).toBe(
      '{"acc_id_util_pct":100}',
    );
  });

  test('strikes as often as it was ordered to, 0 being always', async () => {
    await order(world.url, { kind: 'error', code: 2, times: 2 });
    const twice = [
      await world.pause(SPRING_SALE),
      await world.pause(SPRING_SALE),
      await world.pause(SPRING_SALE),
    ];
    expect(twice.map(({ status }) => status)).toEqual([400, 400, 200]);
    const id = await order(world.url, { kind: 'error', code: 2, times: 0 });
    for (let call = 0; call < 4; call += 1) expect((await world.pause(SPRING_SALE)).status).toBe(400);
    await world.sim('DELETE', `/faults/${id}`);
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });

  test.each([
    ['campaign', { campaign: HYDRATION }, [undefined, 2, undefined]],
    ['campaign, in match', { match: { campaign: HYDRATION } }, [undefined, 2, undefined]],
    ['inner operations', { op: 'inner', times: 2 }, [2, 2, undefined]],
    ['path', { path: `^/${NEWSLETTER}$` }, [undefined, undefined, 2]],
  ])('can be aimed at: %s', async (_title, aim, expected) => {
    await order(world.url, { kind: 'error', code: 2, ...aim });
    expect(await codes(SPRING_SALE, HYDRATION, NEWSLETTER)).toEqual(expected);
  });

  test.each([
    ['a whole batch', { op: 'outer' }],
    ['an account', { account: MAYAS_ACCOUNT }],
    ['a person', { user: MAYA }],
    ['a campaign in a batch, if so wished', { op: 'outer', campaign: HYDRATION }],
  ])('refuses a batch whole when it is aimed at %s', async (_title, aim) => {
    await order(world.url, { kind: 'error', code: 2, ...aim });
    expect((await world.batch(pausing(SPRING_SALE, HYDRATION))).body).toMatchObject({ error: { code: 2 } });
    expect(await paused()).toEqual([]);
  });

  test('that is aimed at something else does not strike', async () => {
    for (const aim of [
      { method: 'GET' },
      { campaign: '1' },
      { account: 'act_1' },
      { user: '1' },
      { path: 'x' },
    ])
      await order(world.url, { kind: 'error', code: 2, ...aim });
    await order(world.url, { kind: 'error', code: 2, probability: 0 });
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });
});

describe('an outcome that is not told', () => {
  test('null entries: not done, or done', async () => {
    await order(world.url, { kind: 'null_entry', campaign: SPRING_SALE });
    await order(world.url, { kind: 'null_entry_applied', campaign: HYDRATION });
    expect(await codes(SPRING_SALE, HYDRATION, NEWSLETTER)).toEqual([-1, -1, undefined]);
    expect(await paused()).toEqual([HYDRATION, NEWSLETTER]);
  });

  test('done, but an error is answered: one operation or a whole batch', async () => {
    await order(world.url, { kind: 'applied_but_error', code: 1, campaign: SPRING_SALE });
    expect(await codes(SPRING_SALE, HYDRATION)).toEqual([1, undefined]);
    await order(world.url, { kind: 'applied_but_error', code: 960, op: 'outer' });
    expect((await world.batch(pausing(NEWSLETTER))).body).toMatchObject({ error: { code: 960 } });
    expect(await paused()).toEqual([SPRING_SALE, HYDRATION, NEWSLETTER]);
  });

  test('the connection is cut, before or after', async () => {
    await order(world.url, { kind: 'reset' });
    await expect(world.pause(SPRING_SALE)).rejects.toThrow();
    await order(world.url, { kind: 'reset_after' });
    await expect(world.pause(HYDRATION)).rejects.toThrow();
    expect(await paused()).toEqual([HYDRATION]);
  });

  test('HTML instead of JSON, or half of the JSON', async () => {
    await order(world.url, { kind: 'html', http: 503 });
    const page = await world.pause(SPRING_SALE);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    await order(world.url, { kind: 'truncated' });
    expect((await world.pause(HYDRATION)).text).toBe('{"succes');
    expect(await paused()).toEqual([HYDRATION]);
  });
});

describe('a parked request', () => {
  const impatient = (): { signal: AbortSignal; leave: () => void } => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort() };
  };

  test('goes on when it is released', async () => {
    const id = await order(world.url, { kind: 'hang_before', campaign: HYDRATION });
    const batch = world.batch(pausing(SPRING_SALE, HYDRATION));
    await until('it is parked', async () => (await parkedAt(world.url, id)) === 1);
    expect(await paused()).toEqual([]);
    await world.sim('POST', `/faults/${id}/release`);
    expect((await batch).status).toBe(200);
    expect(await paused()).toEqual([SPRING_SALE, HYDRATION]);
  });

  test('after it was applied: only the answer waits', async () => {
    const id = await order(world.url, { kind: 'hang_after' });
    const answer = world.pause(SPRING_SALE);
    await until('it is parked', async () => (await parkedAt(world.url, id)) === 1);
    expect(await paused()).toEqual([SPRING_SALE]);
    await world.sim('DELETE', `/faults/${id}`);
    expect((await answer).status).toBe(200);
  });

  test('is dropped when its client goes away', async () => {
    const id = await order(world.url, { kind: 'hang_before' });
    const { signal, leave } = impatient();
    const call = world.call('POST', SPRING_SALE, { status: 'PAUSED' }, { signal });
    await until('it is parked', async () => (await parkedAt(world.url, id)) === 1);
    leave();
    await expect(call).rejects.toThrow();
    await until('it is dropped', async () => (await parkedAt(world.url, id)) === 0);
    await world.sim('POST', `/faults/${id}/release`);
    expect(await paused()).toEqual([]);
  });

  test('is applied late all the same with applyOnRelease', async () => {
    const id = await order(world.url, { kind: 'hang_before', applyOnRelease: true });
    const { signal, leave } = impatient();
    const call = world.call('POST', SPRING_SALE, { status: 'PAUSED' }, { signal });
    await until('it is parked', async () => (await parkedAt(world.url, id)) === 1);
    leave();
    await expect(call).rejects.toThrow();
    await world.sim('POST', `/faults/${id}/release`);
    await until('it is applied', async () => (await paused()).includes(SPRING_SALE));
  });

  test('is dropped by a reset', async () => {
    const id = await order(world.url, { kind: 'hang_before' });
    const call = world.pause(SPRING_SALE);
    await until('it is parked', async () => (await parkedAt(world.url, id)) === 1);
    await world.sim('POST', '/reset');
    await expect(call).rejects.toThrow();
    expect(await paused()).toEqual([]);
  });
});

describe('time after a write', () => {
  test('processing takes a while', async () => {
    await order(world.url, { kind: 'in_process', ms: 60_000 });
    await world.pause(SPRING_SALE);
    const read = async (): Promise<unknown> =>
      (await world.call('GET', SPRING_SALE, { fields: 'status,effective_status' })).body;
    expect(await read()).toMatchObject({ status: 'PAUSED', effective_status: 'IN_PROCESS' });
    await world.sim('POST', '/clock', { offsetMs: 61_000 });
    expect(await read()).toMatchObject({ status: 'PAUSED', effective_status: 'PAUSED' });
  });

  test('reads lag behind', async () => {
    await order(world.url, { kind: 'stale_read', ms: 60_000 });
    await world.pause(SPRING_SALE);
    expect(await world.statusOf(SPRING_SALE)).toBe('ACTIVE');
    expect((await world.writes())[0]?.status).toBe('PAUSED');
    await world.sim('POST', '/clock', { offsetMs: 61_000 });
    expect(await world.statusOf(SPRING_SALE)).toBe('PAUSED');
  });

  test('answers can be slow', async () => {
    await order(world.url, { kind: 'latency', ms: 60, path: '^/me$' });
    const startedAt = performance.now();
    await world.call('GET', 'me');
    expect(performance.now() - startedAt).toBeGreaterThan(55);
    await world.sim('POST', '/latency', { ms: 40 });
    const secondAt = performance.now();
    await world.call('GET', 'me');
    expect(performance.now() - secondAt).toBeGreaterThan(35);
  });
});

test('a login can fail like anything else', async () => {
  await order(world.url, { kind: 'error', code: 190, path: '^/oauth/access_token$' });
  expect((await world.call('GET', 'oauth/access_token')).body.error?.code).toBe(190);
});
