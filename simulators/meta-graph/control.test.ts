import { describe, expect, test } from 'vitest';
import type { GraphWorld } from './graph.fixture.ts';
import { SPRING_SALE, pausing, useGraph } from './graph.fixture.ts';

let world: GraphWorld;

useGraph((started) => (world = started));

interface State {
  users: { id: string; name: string; accounts: string[] }[];
  accounts: { id: string; currency: string; account_status: number; campaigns: string[] }[];
  campaigns: { id: string; name: string; status: string; objective: string; daily_budget: string | null }[];
}

describe('the seed', () => {
  test('looks realistic and is deterministic', async () => {
    const seed = await world.ask<State>('GET', '/state');
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
    expect((await world.ask<State>('GET', '/state')).campaigns).toEqual(seed.campaigns);
  });

  test('can be replaced, with an account that two users share', async () => {
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
    await world.post('/seed', { replace: true, users });
    expect((await world.ask<State>('GET', '/state')).users.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
    const token = await world.tokenOf('2');
    expect((await world.call('POST', '11', { status: 'PAUSED' }, { token })).status).toBe(200);
    expect(await world.writes()).toMatchObject([{ campaign: '11', token_user: '2' }]);
    await world.post('/reset');
    expect((await world.ask<State>('GET', '/state')).users.map(({ name }) => name)).toContain('Maya Chen');
  });
});

describe('the control API', () => {
  test.each([
    ['POST', '/faults', '{"kind":"nonsense"}', 400, /kind must be one of error, /],
    ['POST', '/faults', '{"kind":"error","campagin":"1"}', 400, /campagin/],
    ['POST', '/faults', '{"kind":"error","path":"("}', 400, /no regular expression/],
    ['POST', '/faults', '{', 400, /the body is no JSON/],
    ['POST', '/clock', '{"offsetMs":1e30}', 400, /offsetMs/],
    ['POST', '/limits', '{"tier":"huge"}', 400, /tier/],
    ['POST', '/seed', '{"users":[{"id":"x","name":"X","accounts":[]}]}', 400, /digits/],
    ['POST', '/campaigns/5', '{"status":"PAUSED"}', 404, /there is no campaign 5/],
    ['POST', '/tokens', '{"userId":"5"}', 404, /there is no user 5/],
    ['DELETE', '/faults/5', null, 404, /there is no fault 5/],
    ['GET', '/nothing', null, 404, /no control/],
  ])('rejects %s %s %s', async (method, path, body, status, message) => {
    const answer = await fetch(`${world.url}/_sim${path}`, { method, body });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(message)]);
  });

  test('logs requests without their secrets', async () => {
    await world.ask('DELETE', '/requests');
    await fetch(`${world.url}/v26.0/me?access_token=${world.token}&fields=id`);
    await world.batch(pausing(SPRING_SALE), { appsecret_proof: 'wrong' });
    const requests = await world.requests();
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
    const id = await world.fault({ kind: 'error', code: 2, times: 3 });
    await world.pause(SPRING_SALE);
    const { faults } = await world.ask<{ faults: object[] }>('GET', '/faults');
    expect(faults).toMatchObject([{ id, kind: 'error', code: 2, times: 3, hits: 1, parked: 0 }]);
    await world.ask('DELETE', '/faults');
    expect(await world.ask('GET', '/faults')).toEqual({ faults: [] });
  });

  test('has an HTML page', async () => {
    await world.fault({ kind: 'error', code: 2 });
    const page = await (await fetch(`${world.url}/_sim`)).text();
    for (const text of ['Maya Chen', 'Pause Spring Sale | Prospecting', 'error 2: applied 0 of 1 times'])
      expect(page).toContain(text);
    expect(page).toContain('Juniper &amp; Vale');
  });
});
