import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { PersonOverHttp } from '../../../../scripts/outside/person.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { api } from '#contract/api.ts';

interface Refused {
  error: { code: string; message: string; id?: string };
}

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

describe('refusals', () => {
  const suite = startSuite();
  let who: Advertiser;
  let other: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    other = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await waitFor('the status to be read', async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === 'UP';
    });
  });

  test.each(
    Object.values(api)
      .filter((endpoint) => !('access' in endpoint) || endpoint.access === 'admin')
      .map(({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '1')] as const),
  )('[API-22] %s %s without a good token is 401', async (method, path) => {
    const long = 'x'.repeat(5000);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${'a'.repeat(43)}`,
      `Basic ${who.person.token}`,
      `Bearer ${who.person.token}x`,
      `Bearer ${long}`,
      "Bearer ' or 1=1 --",
    ]) {
      const answer = await fetch(suite.product.url + path, { method, headers: { authorization } });
      expect([authorization.slice(0, 20), answer.status]).toEqual([authorization.slice(0, 20), 401]);
      expect(((await answer.json()) as Refused).error.code).toBe('UNAUTHENTICATED');
    }
  });

  const huge = { ...SETTINGS, email: `${'a'.repeat(100_000)}@example.com` };
  test.each<
    [string, (w: Advertiser, o: Advertiser) => [method: 'GET' | 'POST', path: string, body?: unknown], number]
  >([
    ['a wrong type', () => ['POST', '/api/user/settings', { ...SETTINGS, email: 5 }], 400],
    [
      'an unknown threshold',
      () => ['POST', '/api/user/settings', { ...SETTINGS, outageThreshold: 'SEVERE' }],
      400,
    ],
    [
      'a delay out of bounds',
      () => [
        'POST',
        '/api/user/settings',
        { ...SETTINGS, resumeSettings: { mode: 'delay', delay: { value: 61, unit: 'minutes' } } },
      ],
      400,
    ],
    [
      'a delay of nothing',
      () => [
        'POST',
        '/api/user/settings',
        { ...SETTINGS, resumeSettings: { mode: 'delay', delay: { value: 0, unit: 'days' } } },
      ],
      400,
    ],
    [
      'half a delay',
      () => [
        'POST',
        '/api/user/settings',
        { ...SETTINGS, resumeSettings: { mode: 'delay', delay: { value: 1.5, unit: 'days' } } },
      ],
      400,
    ],
    ['no body', () => ['POST', '/api/user/settings'], 400],
    ['a list for a body', () => ['POST', '/api/user/settings', []], 400],
    ['null for a body', () => ['POST', '/api/user/initialize', null], 400],
    ['an address that is none', () => ['POST', '/api/user/settings', { ...SETTINGS, email: 'me' }], 400],
    [
      'a prototype in disguise',
      () => ['POST', '/api/user/settings', JSON.parse('{"__proto__":{"a":1}}')],
      400,
    ],
    ['an oversized body', () => ['POST', '/api/user/settings', huge], 413],
    [
      'enabled as a text',
      (w) => ['POST', `/api/smartpause/${w.accountId}/${w.campaignIds[0] ?? ''}`, { enabled: 'false' }],
      400,
    ],
    ['an id that is none', () => ['GET', '/api/campaigns/act_1%27%20or%201=1'], 400],
    ['a path for an id', () => ['GET', '/api/campaigns/..%2F..%2Fme'], 400],
    ['an id of a wrong kind', () => ['POST', '/api/campaigns/abc/pause'], 400],
    ['an unknown account', () => ['GET', '/api/campaigns/act_1'], 404],
    ['an unknown campaign', () => ['POST', '/api/campaigns/123456789/pause'], 404],
    ['somebody else’s account', (_w, o) => ['GET', `/api/campaigns/${o.accountId}`], 404],
    [
      'somebody else’s campaign, paused',
      (_w, o) => ['POST', `/api/campaigns/${o.campaignIds[0] ?? ''}/pause`],
      404,
    ],
    [
      'somebody else’s campaign, resumed',
      (_w, o) => ['POST', `/api/campaigns/${o.campaignIds[0] ?? ''}/resume`],
      404,
    ],
    [
      'somebody else’s campaign, SmartPause',
      (_w, o) => ['POST', `/api/smartpause/${o.accountId}/${o.campaignIds[0] ?? ''}`, { enabled: true }],
      404,
    ],
    [
      'somebody else’s campaign in one’s own account',
      (w, o) => ['POST', `/api/smartpause/${w.accountId}/${o.campaignIds[0] ?? ''}`, { enabled: true }],
      404,
    ],
    ['a call that does not exist', () => ['POST', '/api/nothing', {}], 404],
    ['a call by another method', () => ['POST', '/api/me', {}], 404],
  ])('[API-22] %s is refused with the envelope, and nothing is changed', async (_title, make, status) => {
    const before = await fingerprint();
    const writesBefore = (await suite.simulators.graph.writes()).length;
    const answer = await who.person.call<Refused>(...make(who, other));
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/) as string,
      message: expect.any(String) as string,
    });
    expect(await fingerprint()).toBe(before);
    expect((await suite.simulators.graph.writes()).length).toBe(writesBefore);
  });

  test.each([
    ['text/plain', 'hello', 415],
    ['application/json', '{"a":', 400],
    ['application/json', '', 400],
    ['application/x-www-form-urlencoded', 'a=b', 415],
  ])('[API-22] a body of %s %j is refused with %i', async (type, body, status) => {
    const headers = { authorization: `Bearer ${who.person.token}`, 'content-type': type };
    const answer = await fetch(`${suite.product.url}/api/user/settings`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(Object.keys((await answer.json()) as object)).toEqual(['error']);
  });

  test('a fault of ours is a 500 with an id and without details', async () => {
    const broken = new PersonOverHttp(suite.product.url, who.person.token);
    await sql`alter table subscription rename to subscription_away`.execute(suite.product.app.db);
    try {
      const answer = await broken.call<Refused>('POST', '/api/user/settings', SETTINGS);
      expect(answer.status).toBe(500);
      expect(answer.body.error).toMatchObject({
        code: 'SERVER_ERROR',
        message: 'Something went wrong on our side.',
      });
      expect(answer.body.error.id).toBeTruthy();
    } finally {
      await sql`alter table subscription_away rename to subscription`.execute(suite.product.app.db);
    }
  });

  test('tokens stand nowhere in the database in the clear', async () => {
    const { rows } = await sql<{ sealed: Uint8Array }>`select sealed from platform_token`.execute(
      suite.product.app.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { sealed } of rows) expect(Buffer.from(sealed).includes('EAAB')).toBe(false);
    const sessions = await suite.product.app.db.selectFrom('session').select('token_hash').execute();
    expect(
      sessions.some(({ token_hash }) => Buffer.from(token_hash).toString('base64url') === who.person.token),
    ).toBe(false);
  });

  /** Everything a refused call could have changed. */
  async function fingerprint(): Promise<string> {
    const tables = [
      'person',
      'session',
      'smart_pause',
      'hold',
      'subscription',
      'activity',
      'ad_account',
      'platform_token',
    ];
    const parts = [];
    for (const table of tables) {
      const { rows } = await sql<{ hash: string | null }>`
        select md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.table(table)} t`.execute(
        suite.product.app.db,
      );
      parts.push(`${table} ${rows[0]?.hash ?? ''}`);
    }
    return parts.join('\n');
  }
});
