import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { dumpOf } from '../../../test/support/database.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { CHANGEABLE } from '../../../test/support/changeable.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { UserOverHttp } from '../../../scripts/outside/user.ts';
import { api } from '#contract/api.ts';

interface Refused {
  error: { code: string; message: string; id?: string };
}

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

describe('rejected requests', () => {
  const suite = startSuite();
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    await suite.known('UP');
  });

  test.each(
    Object.values(api)
      .filter(({ access }) => access !== 'public')
      .map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '1')] as const),
  )('[API-22] %s %s without a valid token is 401', async (method, path) => {
    const long = 'x'.repeat(5000);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${'a'.repeat(43)}`,
      `Basic ${who.user.token}`,
      `Bearer ${who.user.token}x`,
      `Bearer ${long}`,
      "Bearer ' or 1=1 --",
    ]) {
      const response = await fetch(suite.product.url + path, { method, headers: { authorization } });
      expect([authorization.slice(0, 20), response.status]).toEqual([authorization.slice(0, 20), 401]);
      expect(((await response.json()) as Refused).error.code).toBe('UNAUTHENTICATED');
    }
  });

  const settings = (over: object) => ({ path: '/api/user/settings', body: { ...SETTINGS, ...over } });
  const delay = (value: number, unit: string) =>
    settings({ resumeSettings: { mode: 'delay', delay: { value, unit } } });

  test.each<[string, number, { method?: 'GET' | 'POST'; path: string; body?: unknown }]>([
    ['a wrong type', 400, settings({ email: 5 })],
    ['an unknown threshold', 400, settings({ outageThreshold: 'SEVERE' })],
    ['a delay out of bounds', 400, delay(61, 'minutes')],
    ['a delay of nothing', 400, delay(0, 'days')],
    ['half a delay', 400, delay(1.5, 'days')],
    ['no body', 400, { path: '/api/user/settings' }],
    ['a list for a body', 400, { path: '/api/user/settings', body: [] }],
    ['null for a body', 400, { path: '/api/user/initialize', body: null }],
    ['an address that is none', 400, settings({ email: 'me' })],
    [
      'a prototype in disguise',
      400,
      { path: '/api/user/settings', body: JSON.parse('{"__proto__":{"a":1}}') as unknown },
    ],
    ['an oversized body', 413, settings({ email: `${'a'.repeat(100_000)}@example.com` })],
    ['enabled as a text', 400, { path: '/api/smartpause/act_1/1', body: { enabled: 'false' } }],
    ['an id that is none', 400, { method: 'GET', path: '/api/campaigns/act_1%27%20or%201=1' }],
    ['a path for an id', 400, { method: 'GET', path: '/api/campaigns/..%2F..%2Fme' }],
    ['an id of a wrong kind', 400, { path: '/api/campaigns/abc/pause' }],
    ['an unknown account', 404, { method: 'GET', path: '/api/campaigns/act_1' }],
    ['an unknown campaign', 404, { path: '/api/campaigns/123456789/pause' }],
    ['a call that does not exist', 404, { path: '/api/nothing', body: {} }],
    ['a call by another method', 404, { path: '/api/me', body: {} }],
  ])(
    '[API-22] %s is rejected with the error envelope, and nothing changes',
    async (_title, status, { method = 'POST', path, body }) => {
      const stored = async () => [
        await dumpOf(suite.product.app.db, CHANGEABLE),
        (await suite.simulators.graph.writes()).length,
      ];
      const before = await stored();
      const response = await who.user.call<Refused>(method, path, body);
      expect(response.status).toBe(status);
      expect(Object.keys(response.body)).toEqual(['error']);
      expect(response.body.error).toMatchObject({
        code: expect.stringMatching(/^[A-Z_]+$/) as string,
        message: expect.any(String) as string,
      });
      expect(await stored()).toEqual(before);
    },
  );

  test.each([
    ['text/plain', 'hello', 415],
    ['application/json', '{"a":', 400],
    ['application/json', '', 400],
    ['application/x-www-form-urlencoded', 'a=b', 415],
  ])('[API-22] a body of %s %j is rejected with %i', async (type, body, status) => {
    const headers = { authorization: `Bearer ${who.user.token}`, 'content-type': type };
    const response = await fetch(`${suite.product.url}/api/user/settings`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });

  test('an internal error is a 500 with an id and without details', async () => {
    const broken = new UserOverHttp(suite.product.url, who.user.token);
    await sql`alter table subscriptions rename to subscriptions_away`.execute(suite.product.app.db);
    try {
      const response = await broken.call<Refused>('POST', '/api/user/settings', SETTINGS);
      expect(response.status).toBe(500);
      expect(response.body.error).toMatchObject({
        code: 'SERVER_ERROR',
        message: 'Something went wrong on our side.',
      });
      expect(response.body.error.id).toBeTruthy();
    } finally {
      await sql`alter table subscriptions_away rename to subscriptions`.execute(suite.product.app.db);
    }
  });
});
