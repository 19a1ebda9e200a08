import { describe, expect, test } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { GraphWorld, Reply } from './graph.fixture.ts';
import {
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
  ])('%j is returned in the platform’s error envelope', async (fault, status, error) => {
    await world.fault({ kind: 'error', ...fault });
    const refused = await world.pause(SPRING_SALE);
    expect(refused.status).toBe(status);
    expect(refused.body.error).toMatchObject(error);
    expect(await paused()).toEqual([]);
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });

  test('applies as often as ordered; 0 means always', async () => {
    await world.fault({ kind: 'error', code: 2, times: 2 });
    const twice = [
      await world.pause(SPRING_SALE),
      await world.pause(SPRING_SALE),
      await world.pause(SPRING_SALE),
    ];
    expect(twice.map(({ status }) => status)).toEqual([400, 400, 200]);
    const id = await world.fault({ kind: 'error', code: 2, times: 0 });
    for (let call = 0; call < 4; call += 1) expect((await world.pause(SPRING_SALE)).status).toBe(400);
    await world.ask('DELETE', `/faults/${id}`);
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });

  test.each([
    ['campaign', { campaign: HYDRATION }, [undefined, 2, undefined]],
    ['campaign, in match', { match: { campaign: HYDRATION } }, [undefined, 2, undefined]],
    ['inner operations', { op: 'inner', times: 2 }, [2, 2, undefined]],
    ['path', { path: `^/${NEWSLETTER}$` }, [undefined, undefined, 2]],
  ])('can be limited to %s', async (_title, aim, expected) => {
    await world.fault({ kind: 'error', code: 2, ...aim });
    expect(await codes(SPRING_SALE, HYDRATION, NEWSLETTER)).toEqual(expected);
  });

  test.each([
    ['a whole batch', { op: 'outer' }],
    ['an account', { account: MAYAS_ACCOUNT }],
    ['a user', { user: MAYA }],
    ['a campaign in a batch, if so wished', { op: 'outer', campaign: HYDRATION }],
  ])('rejects a whole batch when its target is %s', async (_title, aim) => {
    await world.fault({ kind: 'error', code: 2, ...aim });
    expect((await world.batch(pausing(SPRING_SALE, HYDRATION))).body).toMatchObject({ error: { code: 2 } });
    expect(await paused()).toEqual([]);
  });

  test('does not apply to other requests', async () => {
    for (const aim of [
      { method: 'GET' },
      { campaign: '1' },
      { account: 'act_1' },
      { user: '1' },
      { path: 'x' },
    ])
      await world.fault({ kind: 'error', code: 2, ...aim });
    expect((await world.pause(SPRING_SALE)).status).toBe(200);
  });
});

describe('an unreported outcome', () => {
  test('null entries: not carried out, or carried out', async () => {
    await world.fault({ kind: 'null_entry', campaign: SPRING_SALE });
    await world.fault({ kind: 'null_entry_applied', campaign: HYDRATION });
    expect(await codes(SPRING_SALE, HYDRATION, NEWSLETTER)).toEqual([-1, -1, undefined]);
    expect(await paused()).toEqual([HYDRATION, NEWSLETTER]);
  });

  test('a successful write with an error response: one operation or a whole batch', async () => {
    await world.fault({ kind: 'applied_but_error', code: 1, campaign: SPRING_SALE });
    expect(await codes(SPRING_SALE, HYDRATION)).toEqual([1, undefined]);
    await world.fault({ kind: 'applied_but_error', code: 960, op: 'outer' });
    expect((await world.batch(pausing(NEWSLETTER))).body).toMatchObject({ error: { code: 960 } });
    expect(await paused()).toEqual([SPRING_SALE, HYDRATION, NEWSLETTER]);
  });

  test('a cut connection, before or after the write', async () => {
    await world.fault({ kind: 'reset' });
    await expect(world.pause(SPRING_SALE)).rejects.toThrow();
    await world.fault({ kind: 'reset_after' });
    await expect(world.pause(HYDRATION)).rejects.toThrow();
    expect(await paused()).toEqual([HYDRATION]);
  });

  test('HTML instead of JSON, or truncated JSON', async () => {
    await world.fault({ kind: 'html', http: 503 });
    const page = await world.pause(SPRING_SALE);
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    await world.fault({ kind: 'truncated' });
    expect((await world.pause(HYDRATION)).text).toBe('{"succes');
    expect(await paused()).toEqual([HYDRATION]);
  });
});

describe('a parked request', () => {
  const impatient = (): { signal: AbortSignal; leave: () => void } => {
    const controller = new AbortController();
    return { signal: controller.signal, leave: () => controller.abort() };
  };

  test('continues when it is released', async () => {
    const id = await world.fault({ kind: 'hang_before', campaign: HYDRATION });
    const batch = world.batch(pausing(SPRING_SALE, HYDRATION));
    await waitFor('it is parked', async () => (await world.parked(id)) === 1);
    expect(await paused()).toEqual([]);
    await world.post(`/faults/${id}/release`);
    expect((await batch).status).toBe(200);
    expect(await paused()).toEqual([SPRING_SALE, HYDRATION]);
  });

  test('parked after the write: only the response waits', async () => {
    const id = await world.fault({ kind: 'hang_after' });
    const answer = world.pause(SPRING_SALE);
    await waitFor('it is parked', async () => (await world.parked(id)) === 1);
    expect(await paused()).toEqual([SPRING_SALE]);
    await world.ask('DELETE', `/faults/${id}`);
    expect((await answer).status).toBe(200);
  });

  test('is dropped when its client disconnects', async () => {
    const id = await world.fault({ kind: 'hang_before' });
    const { signal, leave } = impatient();
    const call = world.call('POST', SPRING_SALE, { status: 'PAUSED' }, { signal });
    await waitFor('it is parked', async () => (await world.parked(id)) === 1);
    leave();
    await expect(call).rejects.toThrow();
    await waitFor('it is dropped', async () => (await world.parked(id)) === 0);
    await world.post(`/faults/${id}/release`);
    expect(await paused()).toEqual([]);
  });

  test('is applied late with applyOnRelease, even if its client has disconnected', async () => {
    const id = await world.fault({ kind: 'hang_before', applyOnRelease: true });
    const { signal, leave } = impatient();
    const call = world.call('POST', SPRING_SALE, { status: 'PAUSED' }, { signal });
    await waitFor('it is parked', async () => (await world.parked(id)) === 1);
    leave();
    await expect(call).rejects.toThrow();
    await world.post(`/faults/${id}/release`);
    await waitFor('it is applied', async () => (await paused()).includes(SPRING_SALE));
  });

  test('is dropped by a reset', async () => {
    const id = await world.fault({ kind: 'hang_before' });
    const call = world.pause(SPRING_SALE);
    await waitFor('it is parked', async () => (await world.parked(id)) === 1);
    await world.post('/reset');
    await expect(call).rejects.toThrow();
    expect(await paused()).toEqual([]);
  });
});

describe('delays after a write', () => {
  test('stale_read returns the old status for a while', async () => {
    await world.fault({ kind: 'stale_read', ms: 60_000 });
    await world.pause(SPRING_SALE);
    expect(await world.statusOf(SPRING_SALE)).toBe('ACTIVE');
    expect((await world.writes())[0]?.status).toBe('PAUSED');
    await world.post('/clock', { offsetMs: 61_000 });
    expect(await world.statusOf(SPRING_SALE)).toBe('PAUSED');
  });

  test('latency delays the response', async () => {
    await world.fault({ kind: 'latency', ms: 60, path: '^/me$' });
    const startedAt = performance.now();
    await world.call('GET', 'me');
    expect(performance.now() - startedAt).toBeGreaterThan(55);
    await world.post('/latency', { ms: 40 });
    const secondAt = performance.now();
    await world.call('GET', 'me');
    expect(performance.now() - secondAt).toBeGreaterThan(35);
  });
});

test('login calls can fail like all others', async () => {
  await world.fault({ kind: 'error', code: 190, path: '^/oauth/access_token$' });
  expect((await world.call('GET', 'oauth/access_token')).body.error?.code).toBe(190);
});
