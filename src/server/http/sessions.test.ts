import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { UserOverHttp, signIn } from '../../../scripts/simulator-clients/user.ts';
import { dropOldRows } from '../db/retention.ts';
import { endSessionsOfPlatformUser, findLiveSessions } from '../db/users/sessions.ts';
import { hashSecret } from '../secrets.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

describe('sessions', () => {
  const suite = startSuite();
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: [] });
  });

  const statusOf = async (user: UserOverHttp) => (await user.call('GET', '/api/me')).status;

  const endOthers = () => who.user.post('/api/sessions/end-others');
  const messagesOf = async () => {
    const rows = await suite.product.app.db
      .selectFrom('activities')
      .innerJoin('users', 'users.id', 'activities.userId')
      .select('message')
      .where('platformUserId', '=', who.userId)
      .where('event', 'in', ['signup', 'login', 'logout', 'session_replaced', 'other_sessions_ended'])
      .orderBy('activities.id')
      .execute();
    return rows.map(({ message }) => message);
  };

  test('a user ends all of their sessions but this one, and no one else’s', async () => {
    const another = await suite.advertiser({ campaigns: [] });
    const others = [await signIn(suite.product.url, who.userId), await signIn(suite.product.url, who.userId)];
    expect(await endOthers()).toEqual({ success: true, ended: 2 });
    expect(await Promise.all([...others, who.user, another.user].map(statusOf))).toEqual([
      401, 401, 200, 200,
    ]);
    const before = await messagesOf();
    expect(before.at(-1)).toBe('All other sessions were ended.');
    expect(await endOthers()).toEqual({ success: true, ended: 0 });
    expect(await messagesOf()).toEqual(before);
  });

  test('[API-06] initialize replaces the session; the old token is valid for 60 more seconds, however often it is repeated', async () => {
    const old = new UserOverHttp(suite.product.url, who.user.token);
    const initialize = async () =>
      (who.user.token = (await old.post<{ token: string }>('/api/user/initialize', SETTINGS)).token);
    await initialize();
    suite.product.clock.advance(0.9 * MINUTE);
    await initialize();
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([200, 200]);
    suite.product.clock.advance(0.2 * MINUTE);
    expect([await statusOf(old), await statusOf(who.user)]).toEqual([401, 200]);
  });

  test('[API-06] ending all other sessions also ends the one that initialize has replaced, and does not count it', async () => {
    await endOthers();
    const old = new UserOverHttp(suite.product.url, who.user.token);
    who.user.token = (await who.user.post<{ token: string }>('/api/user/initialize', SETTINGS)).token;
    expect(await endOthers()).toEqual({ success: true, ended: 0 });
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

  test('[API-06] four calls at once, twice, initialize the account once, and all succeed', async () => {
    const own = await suite.advertiser({ campaigns: [] });
    const { db } = suite.product.app;
    const initializedAt = null;
    await db.updateTable('users').set({ initializedAt }).where('platformUserId', '=', own.userId).execute();
    const emails = [1, 2, 3, 4].map((index) => `${own.userId}-${index}@example.com`);
    for (let turn = 0; turn < 2; turn += 1) {
      const initialize = (email: string) =>
        own.user.post<{ token: string }>('/api/user/initialize', { ...SETTINGS, email });
      const users = (await Promise.all(emails.map(initialize))).map(
        ({ token }) => new UserOverHttp(suite.product.url, token),
      );
      expect(await Promise.all(users.map(statusOf))).toEqual([200, 200, 200, 200]);
    }
    const { user } = await own.user.get<{ user: { isInitialized: boolean } }>('/api/me');
    const { status } = await own.user.get<{ status: { email: string } }>('/api/user/status');
    expect([user.isInitialized, emails.includes(status.email)]).toEqual([true, true]);
    const acts = await db
      .selectFrom('activities')
      .innerJoin('users', 'users.id', 'activities.userId')
      .select('event')
      .where('platformUserId', '=', own.userId)
      .where('event', 'in', ['initialized', 'settings'])
      .orderBy('activities.id')
      .execute();
    // The first is from the setup of this fixture.
    const events = acts.slice(1).map(({ event }) => event);
    expect(events).toEqual(['initialized', ...Array.from({ length: 7 }, () => 'settings')]);
  });

  test('a session ends after 30 days, even if it is used', async () => {
    const user = await signIn(suite.product.url, who.userId);
    for (let more = 0; more < 3; more += 1) {
      suite.product.clock.advance(9.6 * DAY);
      expect(await statusOf(user)).toBe(200);
    }
    suite.product.clock.advance(1.2 * DAY + 1000);
    expect(await statusOf(user)).toBe(401);
    who.user = await signIn(suite.product.url, who.userId);
    const rows = await suite.product.app.db.selectFrom('sessions').select('tokenHash').execute();
    expect(rows.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
  });

  test('an unused session ends after 14 days, and is deleted', async () => {
    const { db } = suite.product.app;
    const { clock } = suite.product;
    const [used, unused] = [
      await signIn(suite.product.url, who.userId),
      await signIn(suite.product.url, who.userId),
    ];
    const unusedIds = async () => {
      const rows = db.selectFrom('sessions').select('id').where('tokenHash', '=', hashSecret(unused.token));
      return (await rows.execute()).map(({ id }) => id);
    };
    const ids = await unusedIds();
    clock.advance(13 * DAY);
    expect(await statusOf(used)).toBe(200);
    expect([...(await findLiveSessions(db, ids, clock.now())).keys()]).toEqual(ids);
    clock.advance(1.1 * DAY);
    expect([await statusOf(used), await statusOf(unused)]).toEqual([200, 401]);
    expect((await findLiveSessions(db, ids, clock.now())).size).toBe(0);
    await dropOldRows(db, clock.now(), ['sessions']);
    expect(await unusedIds()).toEqual([]);
    who.user = await signIn(suite.product.url, who.userId);
  });

  test('the activity log has logins and ended sessions', async () => {
    const user = await signIn(suite.product.url, who.userId);
    const logOut = async ({ token }: UserOverHttp, body: string | null = null) => {
      const type = body === null ? undefined : { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const response = await fetch(`${suite.product.url}/auth/logout`, { method: 'POST', headers, body });
      expect(response.status).toBe(204);
    };
    // As some clients send a request without a body.
    await logOut(user, '');
    const another = await signIn(suite.product.url, who.userId);
    await logOut(another, JSON.stringify({ isReplaced: true }));
    expect((await messagesOf()).slice(-4)).toEqual([
      'Some Body logged in.',
      'Some Body logged out.',
      'Some Body logged in.',
      'An earlier session of Some Body in the same browser was ended.',
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
