import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { followLogin, signIn } from '../../../../scripts/outside/user.ts';

describe('the login', () => {
  const suite = startSuite();
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

  test('[API-02] a user who declines ads_management is not logged in', async () => {
    const end = await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    expect([end.pathname, end.search]).toEqual(['/', '?error=ACCESS_DENIED&missing=ads_management']);
    await signIn(suite.product.url, who.userId);
  });

  test.each([
    ['no state', '', 'INVALID_STATE'],
    ['a state of another user', '?state=abc&code=x', 'INVALID_STATE'],
    ['a state given twice', '?state=a&state=b&code=x', 'INVALID_STATE'],
  ])('[API-02] a callback with %s is rejected', async (_title, query, code) => {
    const answer = await fetch(`${suite.product.url}/auth/facebook/callback${query}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBe(`${suite.product.url}/?error=${code}`);
  });

  test.each([
    ['&error=access_denied&error_reason=user_denied', 'ACCESS_DENIED'],
    ['&error=server_error', 'FACEBOOK_ERROR'],
    ['&error_code=1349003', 'FACEBOOK_ERROR'],
    ['', 'NO_CODE'],
    ['&code=made-up', 'AUTH_FAILED'],
  ])('[API-02] a callback with %j ends with %s, and a state is valid once', async (query, code) => {
    const start = await fetch(`${suite.product.url}/auth/facebook`, { redirect: 'manual' });
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = `${suite.product.url}/auth/facebook/callback?state=${state}${query}`;
    const ends = [];
    for (let i = 0; i < 2; i += 1) {
      const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
      ends.push(answer.headers.get('location'));
    }
    expect(ends).toEqual([
      `${suite.product.url}/?error=${code}`,
      `${suite.product.url}/?error=INVALID_STATE`,
    ]);
  });

  async function comeBackWith(
    query: (code: string) => string,
    before?: () => Promise<unknown>,
  ): Promise<string> {
    const start = await fetch(`${suite.product.url}/auth/facebook`, { redirect: 'manual' });
    const dialog = new URL(start.headers.get('location') ?? '');
    const form = new URLSearchParams(dialog.searchParams);
    form.set('user', who.userId);
    for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) form.append('granted', scope);
    const consent = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
    const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? '';
    await before?.();
    const state = dialog.searchParams.get('state') ?? '';
    const cookie = (start.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = `${suite.product.url}/auth/facebook/callback?state=${state}${query(code)}`;
    const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
    return (answer.headers.get('location') ?? '')
      .replace(suite.product.url, '')
      .replace(/token=[\w-]{43}/, 'token=…');
  }

  test('[API-02] a used code ends with AUTH_FAILED', async () => {
    let used = '';
    expect(await comeBackWith((code) => `&code=${(used = code)}`)).toBe('/?token=…');
    expect(await comeBackWith(() => `&code=${used}`)).toBe('/?error=AUTH_FAILED');
  });

  test.each([
    ['does not answer', { kind: 'reset' }],
    ['answers HTML', { kind: 'html' }],
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

  test.each([
    ['without the exchange for a long-lived token', false, '/?token=…&error=TOKEN_STALE'],
    ['with it', true, '/?token=…'],
  ])('[API-02] %s a short-lived token ends at %s', async (_title, extendTokens, end) => {
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: 3600, extendTokens });
    expect(await comeBackWith((code) => `&code=${code}`)).toBe(end);
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: null, extendTokens: true });
  });

  test('[API-02] two tabs of one browser can log in at the same time', async () => {
    const kept = new Map<string, string>();
    const visit = async (address: string | URL): Promise<URL> => {
      const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        kept.set(name, value);
      }
      return new URL(answer.headers.get('location') ?? '');
    };
    const dialogs = [
      await visit(`${suite.product.url}/auth/facebook`),
      await visit(`${suite.product.url}/auth/facebook`),
    ];
    for (const dialog of dialogs) {
      const form = new URLSearchParams(dialog.searchParams);
      form.set('user', who.userId);
      for (const scope of (dialog.searchParams.get('scope') ?? '').split(',')) form.append('granted', scope);
      const back = await fetch(dialog, { method: 'POST', body: form, redirect: 'manual' });
      const end = await visit(back.headers.get('location') ?? '');
      expect(end.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
    }
  });

  test('[API-02] the state of one browser is invalid in another', async () => {
    const start = await fetch(`${suite.product.url}/auth/facebook`, { redirect: 'manual' });
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const other = await fetch(`${suite.product.url}/auth/facebook`, { redirect: 'manual' });
    const cookie = (other.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const back = `${suite.product.url}/auth/facebook/callback?state=${state}&code=x`;
    for (const headers of [{ cookie }, { cookie: 'smartpause_login=x' }, {}] as Record<string, string>[]) {
      const end = await fetch(back, { headers, redirect: 'manual' });
      expect(end.headers.get('location')).toBe(`${suite.product.url}/?error=INVALID_STATE`);
    }
  });
});
