import { PassThrough } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followLogin } from '../../../scripts/simulator-clients/user.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';

describe('the log', () => {
  let text = '';
  const logTo = new PassThrough();
  logTo.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const suite = startSuite({ logTo, environment: { LOG_LEVEL: 'debug', TRUST_PROXY: '1' } });
  let who: Advertiser;
  let user: string | undefined;
  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
    user = (await suite.rowOf(who))?.id;
  });
  beforeEach(() => (text = ''));

  const linesWith = (message: string) =>
    text
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`))
      .map((line) => ({ ...(JSON.parse(line) as Record<string, unknown>), line }));
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(suite.product.url + path, { redirect: 'manual', ...init });
  const authorization = () => `Bearer ${who.user.token}`;

  test('names the request id, which the response has too, and the user, each once', async () => {
    const responses = await Promise.all(
      [1, 2].map(() => ask('/api/me', { headers: { authorization: authorization() } })),
    );
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    const completed = linesWith('request completed');
    expect(new Set(completed.map((line) => 'request' in line && line.request))).toEqual(new Set(ids));
    await who.user.call('GET', '/api/admin/stats');
    const refused = linesWith('refused');
    expect(refused).toHaveLength(1);
    for (const { line, ...fields } of [...completed, ...refused]) {
      expect(fields).toMatchObject({ url: expect.stringMatching(/^\/api\//) as string, user });
      for (const name of ['request', 'user']) expect(line.split(`"${name}":`)).toHaveLength(2);
    }
  });

  test('has the request context in code that does not know of requests', async () => {
    await suite.simulators.stripe.fault({ kind: 'error', http: 500, times: 0 });
    const headers = { authorization: authorization(), 'content-type': 'application/json' };
    const path = '/api/stripe/create-portal-session';
    const response = await ask(path, { method: 'POST', headers, body: '{}' });
    await suite.simulators.stripe.ask('DELETE', '/faults');
    const [line] = linesWith('Stripe request failed');
    expect(line).toMatchObject({ request: response.headers.get('x-request-id'), user });
  });

  test('has each login and each rejection with user, address and path, without the request data', async () => {
    const secret = 'S3cret'.repeat(7) + 'x';
    const from = { 'x-forwarded-for': '192.0.2.7' };
    await ask('/api/me', { headers: { ...from, authorization: `Bearer ${secret}` } });
    await ask(`/auth/facebook/callback?state=${secret}&code=${secret}`);
    await ask('/api/admin/stats', { headers: { authorization: authorization() } });
    const body = new URLSearchParams({ signed_request: secret });
    await ask('/auth/facebook/deauthorize', { method: 'POST', headers: from, body });
    expect(linesWith('refused')).toMatchObject([
      { code: 'UNAUTHENTICATED', address: '192.0.2.7', url: '/api/me' },
      { code: 'ADMIN_REQUIRED', user },
      { code: 'INVALID_REQUEST', address: '192.0.2.7' },
    ]);
    await followLogin(suite.product.url, { userId: who.userId });
    expect(linesWith('login finished')).toMatchObject([
      { refused: 'INVALID_STATE', user: null },
      { refused: null, user },
    ]);
    expect(text).not.toContain(secret);
  });

  test('has no user in the lines of background work', async () => {
    await suite.known('UP');
    await suite.simulators.status.reports('High disruptions');
    await suite.known('HIGH_DISRUPTION');
    const lines = linesWith('the platform status changed');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).not.toHaveProperty('request');
      expect(line).not.toHaveProperty('user');
    }
  });
});
