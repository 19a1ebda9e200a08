import { PassThrough } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { followLogin } from '../../../scripts/outside/user.ts';
import { api } from '#contract/api.ts';

describe('every response', () => {
  const suite = startSuite();
  let who: Advertiser;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(suite.product.url + path, { redirect: 'manual', ...init });

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
  });

  test('to a cross-site request is a rejection: cookies do not authenticate, and CORS is off', async () => {
    const cookie = `authToken=${who.user.token}; token=${who.user.token}; smartpause_login=${who.user.token}`;
    const origin = 'https://attacker.example';
    for (const { method, path, access } of Object.values(api)) {
      if (access === 'public') continue;
      const url = path.replaceAll(/\{\w+\}/g, '1');
      expect(
        (await ask(`${url}?token=${who.user.token}`, { method, headers: { cookie, origin } })).status,
      ).toBe(401);
      const preflight = await ask(url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method },
      });
      expect(preflight.status).toBe(404);
      expect(preflight.headers.get('access-control-allow-headers')).toBeNull();
    }
    const changing = Object.values(api).filter(({ method }) => method === 'GET');
    expect(
      changing
        .map(({ path }) => path)
        .filter((path) => /pause|resume|delete|settings|smartpause|end/.test(path)),
    ).toEqual([]);
  });

  test('of a login sets one cookie, unreadable for scripts and other sites, and each session is new', async () => {
    const planted = `smartpause_login=${'a'.repeat(43)}`;
    const begin = await ask('/auth/facebook', { headers: { cookie: planted } });
    expect(begin.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^smartpause_login=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(begin.headers.getSetCookie()[0]).not.toContain(planted);
    const [first, second] = [
      await followLogin(suite.product.url, { userId: who.userId }),
      await followLogin(suite.product.url, { userId: who.userId }),
    ];
    expect(first.searchParams.get('token')).not.toBe(second.searchParams.get('token'));
  });
});

const HOST = { host: 'localhost:4443' };
const CALLBACK = '/auth/facebook/callback';

/** Completes the dialog without a network connection: the address does not respond. */
async function comeBack(suite: ReturnType<typeof startSuite>, userId: string) {
  const { http } = suite.product.app;
  const begin = await http.inject({ url: '/auth/facebook', headers: HOST });
  const dialog = new URL(begin.headers.location ?? '');
  const form = new URLSearchParams(dialog.searchParams);
  form.set('user', userId);
  for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) form.append('granted', scope);
  const consent = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  const [cookie = ''] = String(begin.headers['set-cookie']).split(';');
  return http.inject({ url: back.pathname + back.search, headers: { ...HOST, cookie } });
}

describe('with TLS', () => {
  let log = '';
  const logTo = new PassThrough();
  logTo.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const environment = { PUBLIC_URL: `https://${HOST.host}`, LOG_LEVEL: 'warn' };
  const suite = startSuite({ logTo, environment });

  test('the configuration warns that without TRUST_PROXY all users share one address', () => {
    expect(log).toContain('TRUST_PROXY is not set');
  });

  test('browsers get Strict-Transport-Security, and the cookie is bound to the host', async () => {
    const headers = HOST;
    const begin = await suite.product.app.http.inject({ url: '/auth/facebook', headers });
    expect(begin.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    expect(begin.headers['set-cookie']).toMatch(
      /^__Host-smartpause_login=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('the page learns the user of a login from a cookie that no other site can set', async () => {
    const userId = '7111000000077';
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [] }] });
    const back = await comeBack(suite, userId);
    const token = new URL(back.headers.location ?? '').searchParams.get('token') ?? '';
    expect(back.headers['set-cookie']).toBe(
      `__Host-smartpause_arrival=${token.slice(0, 12)}; Max-Age=120; Path=/; Secure; SameSite=Lax`,
    );
    const refused = await suite.product.app.http.inject({ url: CALLBACK, headers: HOST });
    expect(refused.headers['set-cookie']).toBeUndefined();
  });
});
