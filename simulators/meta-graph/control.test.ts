import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../fixtures/door.fixture.ts';
import { GraphWorld, MAYA, MAYAS_ACCOUNT, SPRING_SALE, pausing } from '../fixtures/graph.fixture.ts';

let world: GraphWorld;

beforeAll(async () => {
  world = await GraphWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.server.close());

interface State {
  users: { id: string; name: string; accounts: string[] }[];
  accounts: { id: string; currency: string; account_status: number; campaigns: string[] }[];
  campaigns: { id: string; name: string; status: string; objective: string; daily_budget: string | null }[];
}

describe('the seed', () => {
  test('looks real and is the same every time', async () => {
    const seed = await world.sim<State>('GET', '/state');
    expect(seed.users.length).toBeGreaterThanOrEqual(4);
    expect(new Set(seed.accounts.map(({ currency }) => currency))).toEqual(
      new Set(['USD', 'EUR', 'GBP', 'JPY']),
    );
    for (const { campaigns } of seed.accounts) {
      expect(campaigns.length).toBeGreaterThanOrEqual(5);
      expect(campaigns.length).toBeLessThanOrEqual(40);
    }
    for (const { id, objective } of seed.campaigns) {
      expect(id).toMatch(/^\d{17,18}$/);
      expect(objective).toMatch(/^OUTCOME_/);
    }
    const count = (status: string): number => seed.campaigns.filter((one) => one.status === status).length;
    expect([count('PAUSED') > 5, count('ARCHIVED')]).toEqual([true, 1]);
    expect(new Set(seed.campaigns.map(({ id }) => id)).size).toBe(seed.campaigns.length);
    await world.reset();
    expect((await world.sim<State>('GET', '/state')).campaigns).toEqual(seed.campaigns);
  });

  test('can be replaced, with an account that two people share', async () => {
    const account = {
      id: 'act_1',
      name: 'Shared',
      currency: 'USD',
      campaigns: [
        { id: '11', name: 'One', status: 'ACTIVE', objective: 'OUTCOME_SALES', daily_budget: '100' },
      ],
    };
    const users = [
      { id: '1', name: 'Ann', accounts: [account] },
      { id: '2', name: 'Bob', accounts: [{ ...account, campaigns: [] }] },
    ];
    await world.sim('POST', '/seed', { replace: true, users });
    expect((await world.sim<State>('GET', '/state')).users.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
    const token = await world.tokenOf('2');
    expect((await world.call('POST', '11', { status: 'PAUSED' }, { token })).status).toBe(200);
    expect(await world.writes()).toMatchObject([{ campaign: '11', token_user: '2' }]);
    await world.sim('POST', '/reset');
    expect((await world.sim<State>('GET', '/state')).users.map(({ name }) => name)).toContain('Maya Chen');
  });
});

describe('the control door', () => {
  test.each([
    ['POST', '/faults', { kind: 'nonsense' }, /400 .*kind must be one of error, /s],
    ['POST', '/faults', { kind: 'error', campagin: '1' }, /400 .*campagin/s],
    ['POST', '/faults', { kind: 'error', path: '(' }, /400 .*no regular expression/s],
    ['POST', '/faults', { kind: 'error', headers: { 'a b': 'x' } }, /400 .*headers/s],
    ['POST', '/clock', { offsetMs: 1e30 }, /400 .*offsetMs/s],
    ['POST', '/limits', { tier: 'huge' }, /400 /],
    ['POST', '/seed', { users: [{ id: 'x', name: 'X', accounts: [] }] }, /400 .*digits/s],
    ['POST', '/campaigns/5', { status: 'PAUSED' }, /404 there is no campaign 5/],
    ['POST', '/tokens', { userId: '5' }, /404 there is no user 5/],
    ['DELETE', '/faults/5', undefined, /404 there is no fault 5/],
    ['GET', '/nothing', undefined, /404 no control/],
  ] as const)('refuses %s %s %j', async (method, path, body, message) => {
    await expect(world.sim(method, path, body)).rejects.toThrow(message);
  });

  test('says what is no JSON', async () => {
    const answer = await fetch(`${world.url}/_sim/faults`, { method: 'POST', body: '{' });
    expect([answer.status, await answer.text()]).toEqual([400, '{"error":"the body is no JSON"}']);
  });

  test('logs requests without their secrets', async () => {
    await world.sim('DELETE', '/requests');
    await fetch(`${world.url}/v26.0/me?access_token=${world.token}&fields=id`);
    await world.batch(pausing(SPRING_SALE), { appsecret_proof: 'wrong' });
    const { requests } = await world.sim<{ requests: object[] }>('GET', '/requests');
    expect(requests).toMatchObject([
      { method: 'GET', path: '/v26.0/me', status: 200, tokenInQuery: true, query: { fields: 'id' } },
      {
        method: 'POST',
        path: '/v26.0/',
        status: 400,
        tokenInQuery: false,
        batch: [{ method: 'POST', relative_url: SPRING_SALE, body: 'status=PAUSED' }],
      },
    ]);
    expect(JSON.stringify(requests)).not.toContain(world.token);
  });

  test('lists faults with their hits', async () => {
    const id = await order(world.url, { kind: 'error', code: 2, times: 3 });
    await world.pause(SPRING_SALE);
    const { faults } = await world.sim<{ faults: object[] }>('GET', '/faults');
    expect(faults).toMatchObject([{ id, kind: 'error', code: 2, times: 3, hits: 1, parked: 0 }]);
    await world.sim('DELETE', '/faults');
    expect(await world.sim('GET', '/faults')).toEqual({ faults: [] });
  });

  test('has a page for people', async () => {
    await world.call('GET', 'me');
    await order(world.url, { kind: 'error', code: 2 });
    const page = await (await fetch(`${world.url}/_sim`)).text();
    for (const text of ['Maya Chen', MAYAS_ACCOUNT, 'Spring Sale | Prospecting', '/v26.0/me', 'error 2'])
      expect(page).toContain(text);
    expect(page).toContain('Juniper &amp; Vale');
  });

  test('gives tokens that carry what was asked for', async () => {
    const reply = await world.sim<{ access_token: string }>('POST', '/tokens', {
      userId: MAYA,
      expiresInSeconds: 0,
    });
    const { body } = await world.call('GET', 'me', {}, { token: reply.access_token });
    expect(body.error).toMatchObject({ code: 190, error_subcode: 463 });
  });
});
