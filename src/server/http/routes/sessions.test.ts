import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { followLogin, UserOverHttp, signIn } from '../../../../scripts/outside/user.ts';
import { dropExpiredSessions, endSessionsOfPlatformUser, findLiveSessions } from '../../db/users/sessions.ts';
import { deviceName } from '../../services/account/device.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

interface Session {
  id: string;
  device: string;
  isCurrent: boolean;
  lastUsedAt: string;
  expiresAt: string;
}

describe('sessions', () => {
  const suite = startSuite();
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
  });

  const list = async (user: UserOverHttp) =>
    (await user.get<{ sessions: Session[] }>('/api/sessions')).sessions;
  const statusOf = async (user: UserOverHttp) => (await user.call('GET', '/api/me')).status;

  test('a user lists their sessions, ends one, and then all others', async () => {
    const [second, third] = [
      await signIn(suite.product.url, who.userId),
      await signIn(suite.product.url, who.userId),
    ];
    const seen = await list(who.user);
    expect(seen).toHaveLength(3);
    expect(seen.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain(second.token);
    const own = (await list(second)).find(({ isCurrent }) => isCurrent);
    await who.user.post(`/api/sessions/${own?.id ?? ''}/end`);
    expect([await statusOf(second), await statusOf(third), await statusOf(who.user)]).toEqual([
      401, 200, 200,
    ]);
    expect(await who.user.post('/api/sessions/end-others')).toEqual({ success: true, ended: 1 });
    expect([await statusOf(third), await statusOf(who.user)]).toEqual([401, 200]);
    const again = await who.user.call<{ error: { code: string } }>(
      'POST',
      `/api/sessions/${own?.id ?? ''}/end`,
    );
    expect([again.status, again.body.error.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  });

  test('[API-06] initialize replaces the session in the list; the old token is valid for five more minutes', async () => {
    const before = (await list(who.user)).length;
    const old = new UserOverHttp(suite.product.url, who.user.token);
    who.user.token = (await who.user.post<{ token: string }>('/api/user/initialize', SETTINGS)).token;
    expect(await list(who.user)).toHaveLength(before);
    suite.product.clock.advance(4.9 * MINUTE);
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([200, 200]);
    suite.product.clock.advance(0.2 * MINUTE);
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([401, 200]);
  });

  test('[API-06] a repeated initialize does not extend the old token', async () => {
    const old = new UserOverHttp(suite.product.url, who.user.token);
    for (let calls = 0; calls < 2; calls += 1) {
      const { token } = await old.post<{ token: string }>('/api/user/initialize', SETTINGS);
      who.user.token = token;
      suite.product.clock.advance(3 * MINUTE);
    }
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([401, 200]);
  });

  test('[API-06] ending all other sessions also ends the one that initialize has replaced', async () => {
    const old = new UserOverHttp(suite.product.url, who.user.token);
    who.user.token = (await who.user.post<{ token: string }>('/api/user/initialize', SETTINGS)).token;
    await who.user.post('/api/sessions/end-others');
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([401, 200]);
  });

  test.each(['old', 'new'])(
    '[API-06] logging out with the %s token after initialize ends both',
    async (which) => {
      suite.product.clock.advance(1);
      const old = await signIn(suite.product.url, who.userId);
      const { token } = await old.post<{ token: string }>('/api/user/initialize', SETTINGS);
      const replacement = new UserOverHttp(suite.product.url, token);
      const headers = { authorization: `Bearer ${which === 'old' ? old.token : token}` };
      expect((await fetch(`${suite.product.url}/auth/logout`, { method: 'POST', headers })).status).toBe(204);
      expect([await statusOf(old), await statusOf(replacement), await statusOf(who.user)]).toEqual([
        401, 401, 200,
      ]);
    },
  );

  test.each([
    ['two calls at once', [2]],
    ['eight calls at once', [8]],
    ['three calls, one after another', [1, 1, 1]],
    ['four calls at once, twice', [4, 4]],
  ])('[API-06] %s initialize the account once, and all succeed', async (_what, groups) => {
    const own = await suite.advertiser({ campaigns: [] });
    await suite.product.app.db
      .updateTable('app_user')
      .set({ initialized_at: null })
      .where('platform_user_id', '=', own.userId)
      .execute();
    let written: string[] = [];
    for (const size of groups) {
      written = Array.from({ length: size }, (_, index) => `${own.userId}-${index}@example.com`);
      const answers = await Promise.all(
        written.map((email) =>
          own.user.call<{ token: string }>('POST', '/api/user/initialize', { ...SETTINGS, email }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(written.map(() => 200));
      const tokens = answers.map(({ body }) => new UserOverHttp(suite.product.url, body.token));
      expect(await Promise.all(tokens.map(statusOf))).toEqual(written.map(() => 200));
    }
    const { user } = await own.user.get<{ user: { isInitialized: boolean } }>('/api/me');
    const { status } = await own.user.get<{ status: { email: string } }>('/api/user/status');
    expect([user.isInitialized, written.includes(status.email)]).toEqual([true, true]);
    const acts = await suite.product.app.db
      .selectFrom('activity')
      .innerJoin('app_user', 'app_user.id', 'activity.user_id')
      .select(['event', 'reason'])
      .where('platform_user_id', '=', own.userId)
      .where('event', 'in', ['initialized', 'settings'])
      .orderBy('activity.id')
      .execute();
    const total = groups.reduce((sum, size) => sum + size, 0);
    // The first is from the setup of this fixture.
    expect(acts.slice(1).map(({ event }) => event)).toEqual([
      'initialized',
      ...Array.from({ length: total - 1 }, () => 'settings'),
    ]);
  });

  test('a session ends after 30 days, even if it is used', async () => {
    const user = await signIn(suite.product.url, who.userId);
    for (let more = 0; more < 3; more += 1) {
      suite.product.clock.advance(9.6 * DAY);
      expect(await statusOf(user)).toBe(200);
    }
    const used = (await list(user)).find(({ isCurrent }) => isCurrent);
    expect(suite.product.clock.now() - Date.parse(used?.lastUsedAt ?? '')).toBeLessThan(60_000);
    suite.product.clock.advance(1.2 * DAY + 1000);
    expect(await statusOf(user)).toBe(401);
    who.user = await signIn(suite.product.url, who.userId);
    const rows = await suite.product.app.db.selectFrom('session').select('token_hash').execute();
    expect(rows.every(({ token_hash }) => token_hash.length === 32)).toBe(true);
  });

  test('an unused session ends after 14 days; the list shows the earlier of its two ends', async () => {
    const { db } = suite.product.app;
    const { clock } = suite.product;
    const [used, unused] = [
      await signIn(suite.product.url, who.userId),
      await signIn(suite.product.url, who.userId),
    ];
    const startedAt = clock.now();
    const daysLeft = async (at: number) => {
      const own = (await list(used)).find(({ isCurrent }) => isCurrent);
      return Math.round((Date.parse(own?.expiresAt ?? '') - at) / DAY);
    };
    const unusedId = (await list(unused)).find(({ isCurrent }) => isCurrent)?.id ?? '';
    const ids = async () => (await list(used)).map(({ id }) => id);
    expect(await daysLeft(clock.now())).toBe(14);
    clock.advance(13 * DAY);
    expect(await daysLeft(clock.now())).toBe(14);
    expect(await ids()).toContain(unusedId);
    expect([...(await findLiveSessions(db, [unusedId], clock.now())).keys()]).toEqual([unusedId]);
    clock.advance(1.1 * DAY);
    expect([await statusOf(used), await statusOf(unused)]).toEqual([200, 401]);
    expect(await ids()).not.toContain(unusedId);
    expect((await findLiveSessions(db, [unusedId], clock.now())).size).toBe(0);
    await dropExpiredSessions(db, clock.now());
    const left = await db.selectFrom('session').select('id').where('id', '=', unusedId).execute();
    expect(left).toEqual([]);
    clock.advance(5 * DAY);
    expect(await daysLeft(startedAt)).toBe(30);
    who.user = await signIn(suite.product.url, who.userId);
  });

  test('[AUTH-02] the address with the token is not cached, not sent as referrer and not shared', async () => {
    const end = await followLogin(suite.product.url, { userId: who.userId, returnTo: '/settings' });
    const page = await fetch(end);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*;img-src 'self';.*;connect-src 'self';/,
    );
  });

  test('the activity log has logins with their device, and ended sessions', async () => {
    const user = await signIn(suite.product.url, who.userId);
    const logOut = async ({ token }: UserOverHttp, body: string | null = null) => {
      const type = body === null ? undefined : { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const answer = await fetch(`${suite.product.url}/auth/logout`, { method: 'POST', headers, body });
      expect(answer.status).toBe(204);
    };
    await logOut(user);
    const another = await signIn(suite.product.url, who.userId);
    await logOut(another, JSON.stringify({ isReplaced: true }));
    const acts = await suite.product.app.db
      .selectFrom('activity')
      .innerJoin('app_user', 'app_user.id', 'activity.user_id')
      .select(['event', 'actor', 'reason', 'message'])
      .where('platform_user_id', '=', who.userId)
      .orderBy('activity.id', 'desc')
      .limit(4)
      .execute();
    expect(acts).toEqual([
      {
        event: 'logout',
        actor: 'user',
        reason: null,
        message: 'An earlier session of Some Body in the same browser was ended: An unknown device.',
      },
      { event: 'login', actor: 'user', reason: 'An unknown device', message: 'Some Body logged in.' },
      { event: 'logout', actor: 'user', reason: null, message: 'Some Body logged out.' },
      { event: 'login', actor: 'user', reason: 'An unknown device', message: 'Some Body logged in.' },
    ]);
  });

  test('an operator can end the sessions of one user or of all users', async () => {
    const [one, another] = [
      await suite.advertiser({ campaigns: [] }),
      await suite.advertiser({ campaigns: [] }),
    ];
    const { db } = suite.product.app;
    expect(await endSessionsOfPlatformUser(db, one.userId)).toBeGreaterThan(0);
    expect([await statusOf(one.user), await statusOf(another.user)]).toEqual([401, 200]);
    await endSessionsOfPlatformUser(db, null);
    expect(await statusOf(another.user)).toBe(401);
    who = await suite.advertiser({ campaigns: [] });
  });
});

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8 (Linux)', 'A program on Linux'],
  [undefined, 'An unknown device'],
])('%s is %s', (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});
