import { PassThrough } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Advertiser, TestProduct } from '../../../test/support/product.ts';
import { silentLog } from '../../../test/support/database.ts';
import { KEY_OF_TESTS, startProduct } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { UserOverHttp, followLogin, signIn } from '../../../scripts/simulator-clients/user.ts';
import { openDatabase } from '../db/open-database.ts';

interface Visit {
  host?: string | undefined;
  cookie?: string;
  method?: 'GET' | 'HEAD';
}

/** A browser's request to the public address, which need not be reachable. */
const visit = ({ app, url: own }: TestProduct, url: string, given: Visit = {}) => {
  const { host = new URL(own).host, cookie = '', method = 'GET' } = given;
  return app.http.inject({ url, method, headers: { host, cookie } });
};

const endOf = ({ url }: TestProduct, { headers }: Awaited<ReturnType<typeof visit>>) =>
  String(headers.location).replace(url, '');

/** The start of a login, in a new browser unless it sends a cookie. */
async function startLogin(product: TestProduct, { returnTo = '/', ...given }: Visit & { returnTo?: string }) {
  const query = new URLSearchParams({ returnTo }).toString();
  const { headers } = await visit(product, `/auth/facebook?${query}`, given);
  const dialog = new URL(headers.location ?? '');
  const setCookie = String(headers['set-cookie']);
  const [cookie = ''] = setCookie.split(';');
  const back = `/auth/facebook/callback?state=${dialog.searchParams.get('state') ?? ''}`;
  return { dialog, setCookie, cookie, back };
}

/** Continues as the user in the dialog. @returns the code */
async function confirm(dialog: URL, userId: string, declined: string[] = []): Promise<string> {
  const form = new URLSearchParams(dialog.searchParams);
  form.set('user', userId);
  for (const scope of (dialog.searchParams.get('scope') ?? '').split(','))
    if (!declined.includes(scope)) form.append('granted', scope);
  const response = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

describe('the login', () => {
  const suite = startSuite({ rateLimits: { logins: 1000 } });
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    await suite.known('UP');
  });

  test('[API-02, AUTH-02] the login ends at the requested page, with a token', async () => {
    const end = await followLogin(suite.product.url, { userId: who.userId, returnTo: '/payment?modal=open' });
    expect(end.pathname).toBe('/payment');
    expect(end.searchParams.get('modal')).toBe('open');
    expect(end.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
  });

  const openDialog = (returnTo = '/', cookie = '') => startLogin(suite.product, { returnTo, cookie });
  const consent = (dialog: URL, declined: string[] = []) => confirm(dialog, who.userId, declined);
  const comeBack = async (path: string, cookie: string): Promise<string> =>
    endOf(suite.product, await visit(suite.product, path, { cookie }));

  test.each([
    ['&error=access_denied&error_reason=user_denied', 'ACCESS_DENIED'],
    ['&error=server_error', 'FACEBOOK_ERROR'],
    ['&error_code=1349003', 'FACEBOOK_ERROR'],
    ['', 'NO_CODE'],
    ['&code=made-up', 'AUTH_FAILED'],
  ])(
    '[API-02, FR-10, UX-24] a callback with %j ends with %s where the login began, also when it is repeated',
    async (query, code) => {
      const { cookie, back } = await openDialog();
      const ends = [await comeBack(back + query, cookie), await comeBack(back + query, cookie)];
      expect(ends).toEqual([`/?error=${code}`, `/?error=${code}`]);
      const checkout = await openDialog('/payment?modal=open&cycle=yearly');
      const end = await comeBack(checkout.back + query, checkout.cookie);
      expect(end).toBe(`/payment?modal=open&cycle=yearly&error=${code}`);
    },
  );

  async function comeBackWith(
    query: (code: string) => string,
    before?: () => Promise<unknown>,
  ): Promise<string> {
    const { dialog, cookie, back } = await openDialog();
    const code = await consent(dialog);
    await before?.();
    return (await comeBack(back + query(code), cookie)).replace(/token=[\w-]{43}/, 'token=…');
  }

  test('[API-02] a used code ends with AUTH_FAILED', async () => {
    let used = '';
    expect(await comeBackWith((code) => `&code=${(used = code)}`)).toBe('/?token=…');
    expect(await comeBackWith(() => `&code=${used}`)).toBe('/?error=AUTH_FAILED');
  });

  test.each([
    ['does not respond', { kind: 'reset' }],
    ['sends HTML', { kind: 'html' }],
    ['has a bad moment', { kind: 'error', code: 2 }],
    ['limits us', { kind: 'error', code: 4 }],
  ])('[API-02] a platform that %s ends with FACEBOOK_ERROR, at every call', async (_title, fault) => {
    for (const path of ['oauth/access_token', 'me/permissions', '^/?me$']) {
      const back = await comeBackWith(
        (code) => `&code=${code}`,
        () => suite.simulators.graph.fault({ ...fault, path }),
      );
      expect([path, back]).toEqual([path, '/?error=FACEBOOK_ERROR']);
      await suite.simulators.graph.ask('DELETE', '/faults');
    }
    await signIn(suite.product.url, who.userId);
  });

  test('[API-02] two tabs of one browser can log in at the same time', async () => {
    const first = await openDialog('/settings');
    const second = await openDialog('/', first.cookie);
    for (const { dialog, back } of [first, second]) {
      const code = await consent(dialog);
      expect(await comeBack(`${back}&code=${code}`, second.cookie)).toMatch(/\?token=[\w-]{43}$/);
    }
  });

  test('sets one cookie, unreadable for scripts and other sites, and never one that the browser proposes', async () => {
    const { setCookie } = await openDialog('/', `smartpause_login=${'a'.repeat(43)}`);
    expect(setCookie).toMatch(/^smartpause_login=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(setCookie).not.toContain('aaaa');
  });

  test('[API-02, FR-11] the state of one browser is invalid in another', async () => {
    const { back } = await openDialog();
    const other = await openDialog();
    for (const cookie of [other.cookie, 'smartpause_login=x', ''])
      for (const query of [`${back}&code=x`, `${back}&state=b&code=x`, back.replace(/\?.*/, '')])
        expect(await comeBack(query, cookie)).toBe('/?error=INVALID_STATE');
  });

  describe('[FR-10] a callback that arrives twice', () => {
    const sessions = async (): Promise<number> => {
      const rows = suite.product.app.db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .where('platformUserId', '=', who.userId);
      return (await rows.select('sessions.id').execute()).length;
    };
    const exchanges = async (): Promise<number> =>
      (await suite.simulators.graph.requests()).filter(({ path }) => path.includes('oauth/access_token'))
        .length;
    /** A login that waits in Meta's exchange until `release`. */
    async function heldExchange() {
      const { graph } = suite.simulators;
      const id = await graph.fault({ kind: 'hang_before', path: 'oauth/access_token' });
      return {
        begun: () => suite.amid('the exchange to begin', async () => (await graph.parked(id)) > 0),
        release: () => graph.ask('DELETE', `/faults/${id}`),
      };
    }
    async function confirmed(returnTo = '/settings') {
      const { dialog, cookie, back } = await openDialog(returnTo);
      return { dialog, cookie, back, callback: `${back}&code=${await consent(dialog)}` };
    }

    beforeEach(() => suite.simulators.graph.ask('DELETE', '/requests'));
    afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

    test('both at once: one exchange, one session, the same response', async () => {
      const before = await sessions();
      const { cookie, callback } = await confirmed();
      const held = await heldExchange();
      const both = [comeBack(callback, cookie), comeBack(callback, cookie)];
      await held.begun();
      await held.release();
      const [first, second] = await Promise.all(both);
      expect(first).toMatch(/^\/settings\?token=[\w-]{43}$/);
      expect(second).toBe(first);
      // The code, and the longer token.
      expect(await exchanges()).toBe(2);
      expect(await sessions()).toBe(before + 1);
    });

    test('minutes later: the same response, without another session', async () => {
      const { cookie, callback } = await confirmed();
      const first = await comeBack(callback, cookie);
      const before = await sessions();
      suite.product.clock.advance(3 * 60_000);
      expect(await comeBack(callback, cookie)).toBe(first);
      expect([await exchanges(), await sessions()]).toEqual([2, before]);
      const { headers } = await visit(suite.product, callback, { cookie });
      expect(headers['set-cookie']).toContain('smartpause_arrival=');
    });

    test('in another process with a newer key: the same response', async () => {
      const { simulators } = suite;
      const database = await openDatabase({ url: suite.database.url, log: silentLog });
      const keys = `a-newer-key-for-tests-of-32-characters, ${KEY_OF_TESTS}`;
      const environment = { ROLE: 'web', ENCRYPTION_KEY: keys };
      const other = await startProduct({ simulators, database, environment });
      const { cookie, callback } = await confirmed();
      const first = await comeBack(callback, cookie);
      const second = endOf(other, await visit(other, callback, { cookie }));
      await other.close();
      expect(second).toBe(first);
      expect(await exchanges()).toBe(2);
    });

    test('after the session was replaced or ended: the same place, without a token and without an error', async () => {
      const replaced = await confirmed();
      const token = new URL(await comeBack(replaced.callback, replaced.cookie), 'http://x').searchParams.get(
        'token',
      );
      const user = new UserOverHttp(suite.product.url, token ?? '');
      await user.completeSetup();
      expect(await comeBack(replaced.callback, replaced.cookie)).toBe('/settings');
      const headers = { authorization: `Bearer ${user.token}` };
      await fetch(`${suite.product.url}/auth/logout`, { method: 'POST', headers });
      expect(await comeBack(replaced.callback, replaced.cookie)).toBe('/settings');
    });

    test('[FR-11] without the cookie of the browser: refused; the first browser can still log in', async () => {
      const { cookie, callback } = await confirmed();
      const other = await openDialog();
      for (const none of ['', other.cookie])
        expect(await comeBack(callback, none)).toBe('/?error=INVALID_STATE');
      expect(await exchanges()).toBe(0);
      const end = await comeBack(callback, cookie);
      expect(end).toMatch(/^\/settings\?token=/);
      for (const none of ['', other.cookie])
        expect(await comeBack(callback, none)).toBe('/?error=INVALID_STATE');
      expect(await exchanges()).toBe(2);
    });

    test.each([
      ['no response from Meta', { kind: 'error', code: 2 }, '/settings?error=FACEBOOK_ERROR'],
      ['a refusal', { kind: 'error', code: 100 }, '/settings?error=AUTH_FAILED'],
    ])('after %s: the same failure; back in the dialog, a new code logs in', async (_title, fault, end) => {
      const { dialog, back, cookie, callback } = await confirmed();
      await suite.simulators.graph.fault({ ...fault, path: 'oauth/access_token' });
      expect(await comeBack(callback, cookie)).toBe(end);
      expect(await comeBack(callback, cookie)).toBe(end);
      expect(await exchanges()).toBe(1);
      const again = `${back}&code=${await consent(dialog)}`;
      const held = await heldExchange();
      const both = [comeBack(again, cookie), comeBack(again, cookie)];
      await held.begun();
      await held.release();
      const [first, second] = await Promise.all(both);
      expect(first).toMatch(/^\/settings\?token=/);
      expect(second).toBe(first);
    });

    test('after a declined permission: the same words; granted in the dialog, the login works', async () => {
      const { dialog, back, cookie } = await openDialog();
      const callback = `${back}&code=${await consent(dialog, ['ads_management'])}`;
      const end = '/?error=ACCESS_DENIED&missing=ads_management';
      expect([await comeBack(callback, cookie), await comeBack(callback, cookie)]).toEqual([end, end]);
      expect(await comeBack(`${back}&code=${await consent(dialog)}`, cookie)).toMatch(/^\/\?token=/);
    });

    test('while the first never ends: it waits for a bounded time, then asks for a new login', async () => {
      const { cookie, callback } = await confirmed();
      const held = await heldExchange();
      const first = comeBack(callback, cookie);
      await held.begun();
      const second = comeBack(callback, cookie);
      suite.product.clock.advance(31_000);
      expect(await second).toBe('/settings?error=AUTH_FAILED');
      await held.release();
      expect(await first).toMatch(/^\/settings\?token=/);
      expect(await comeBack(callback, cookie)).toBe(await first);
    });

    test('after a success: back in the dialog, a new code is a new login', async () => {
      const { dialog, back, cookie, callback } = await confirmed();
      const first = await comeBack(callback, cookie);
      const second = await comeBack(`${back}&code=${await consent(dialog)}`, cookie);
      expect(second).toMatch(/^\/settings\?token=/);
      expect(second).not.toBe(first);
    });

    test('HEAD does not log in', async () => {
      const { cookie, callback } = await confirmed();
      const before = await sessions();
      const head = await visit(suite.product, callback, { method: 'HEAD', cookie });
      expect([head.statusCode, await exchanges(), await sessions()]).toEqual([404, 0, before]);
      expect(await comeBack(callback, cookie)).toMatch(/^\/settings\?token=/);
    });

    test('an attempt and its response end after a quarter of an hour, and are deleted after a week', async () => {
      const { cookie, callback } = await confirmed();
      const token = (await comeBack(callback, cookie)).replace('/settings?token=', '');
      const stored = () => suite.product.app.db.selectFrom('loginAttempts').selectAll().execute();
      expect(JSON.stringify(await stored())).not.toContain(token);
      suite.product.clock.advance(16 * 60_000);
      expect(await comeBack(callback, cookie)).toBe('/?error=INVALID_STATE');
      suite.product.clock.advance(7 * 86_400_000);
      await suite.product.app.runTask('tidying up');
      expect(await stored()).toEqual([]);
    });
  });
});

describe('the login with TLS', () => {
  const host = 'localhost:4443';
  const logTo = new PassThrough();
  const suite = startSuite({ logTo, environment: { PUBLIC_URL: `https://${host}`, LOG_LEVEL: 'warn' } });

  test('the configuration warns that without TRUST_PROXY all users share one address', () => {
    expect(String(logTo.read())).toContain('TRUST_PROXY is not set');
  });

  test('binds its cookies to the host; the page learns the user from one that no other site can set', async () => {
    const userId = '7111000000077';
    await suite.simulators.graph.post('/seed', { users: [{ id: userId, name: 'Some Body', accounts: [] }] });
    const { dialog, setCookie, cookie, back } = await startLogin(suite.product, { host });
    expect(setCookie).toMatch(
      /^__Host-smartpause_login=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const callback = `${back}&code=${await confirm(dialog, userId)}`;
    const end = await visit(suite.product, callback, { host, cookie });
    const token = new URL(end.headers.location ?? '').searchParams.get('token') ?? '';
    expect(end.headers['set-cookie']).toBe(
      `__Host-smartpause_arrival=${token.slice(0, 12)}; Max-Age=120; Path=/; Secure; SameSite=Lax`,
    );
    expect(end.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    const refused = await visit(suite.product, callback, { host });
    expect(refused.headers['set-cookie']).toBeUndefined();
  });

  test('is sent to the public address first, where its cookie is set', async () => {
    const { statusCode, headers } = await visit(suite.product, '/auth/facebook?returnTo=/settings');
    expect([statusCode, headers.location, headers['set-cookie']]).toEqual([
      302,
      `https://${host}/auth/facebook?returnTo=%2Fsettings`,
      undefined,
    ]);
  });
});
