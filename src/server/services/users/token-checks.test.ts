import { beforeEach, describe, expect, test } from 'vitest';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { OPEN_APP, silentLog } from '../../../../test/support/database.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import { markRejected, saveCheck, saveToken, tokenContext } from '../../db/users/tokens.ts';
import { checkTokens, noteStale } from './token-checks.ts';
import type { Log } from '../../observability/log.ts';
import type { PlatformLogin } from '../../platforms/platform.ts';
import { createTokenCipher } from '../../secrets.ts';
import { followLogin, signIn } from '../../../../scripts/simulator-clients/user.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STALE = /^Your Meta connection expires on /;
const EXPIRED = /^Your Meta connection has expired: please log in again/;

describe('Meta tokens', () => {
  const suite = tokenSuite();

  beforeEach(async () => {
    await suite.simulators.status.post('/reset');
    await suite.simulators.graph.ask('DELETE', '/faults');
  });

  /** Makes the check of the token due, with a status that is trusted, and waits for Meta's rejection to be stored. */
  async function untilRejected(who: Advertiser): Promise<void> {
    await suite.untilStatusIsTrusted();
    await suite.product.app.db
      .updateTable('platformTokens')
      .set({ checkAt: new Date(suite.product.clock.now()) })
      .where('userId', '=', (await suite.tokenRow(who)).userId)
      .execute();
    await suite.checkDue();
    await suite.until('the rejection', async () => (await suite.tokenRow(who)).rejectedAt !== null);
  }

  test('a token is checked daily, and its expiry is what Meta reports', async () => {
    const who = await suite.newcomer();
    const before = await suite.tokenRow(who);
    await suite.simulators.graph.ask('DELETE', '/requests');
    await suite.advance(DAY + 2 * 60_000);
    await suite.checkDue();
    expect((await suite.tokenRow(who)).checkAt).toBeGreaterThan(suite.product.clock.now());
    const asked = (await suite.simulators.graph.requests()).filter(({ batch }) =>
      batch?.some(({ relative_url }) => relative_url.startsWith('debug_token')),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ secretInQuery }) => !secretInQuery)).toBe(true);
    const after = await suite.tokenRow(who);
    expect(Math.abs(Number(after.expiresAt) - Number(before.expiresAt))).toBeLessThan(60_000);
    expect(await suite.accessOf(who)).toBe('ok');
  });

  test('notifies the user once seven days before the expiry and again at the expiry; a login renews the token', async () => {
    const who = await suite.newcomer();
    const { expiresAt } = await suite.tokenRow(who);
    await suite.advance(Number(expiresAt) - suite.product.clock.now() - 7 * DAY - HOUR);
    who.user = await signInAgainWithoutRenewal(who);
    expect(await suite.accessOf(who)).toBe('ok');
    await suite.advance(2 * HOUR);
    await suite.checkDue();
    expect(await suite.accessOf(who)).toBe('stale');
    const stale = await nextMailTo(suite, who.email, STALE);
    expect(stale.text).toContain('/auth/facebook');
    await suite.advance(2 * DAY);
    await suite.checkDue();
    expect((await suite.subjects(who)).filter((subject) => STALE.test(subject))).toHaveLength(1);
    await suite.advance(5 * DAY);
    expect(await suite.accessOf(who)).toBe('expired');
    await untilRejected(who);
    const expired = await nextMailTo(suite, who.email, EXPIRED);
    expect(expired.text).toContain('Your Meta connection expired on');
    const back = await signIn(suite.product.url, who.userId);
    const { user } = await back.get<{ user: { access: string } }>('/api/me');
    expect(user.access).toBe('ok');
  });

  /** A session lasts thirty days; afterwards the token is set back to the one from before this login. */
  async function signInAgainWithoutRenewal(who: Advertiser) {
    const { userId, ...row } = await suite.tokenRow(who);
    const before = Object.entries(row).map(([column, value]: [string, unknown]) => [
      column,
      typeof value === 'number' ? new Date(value) : value,
    ]);
    const user = await signIn(suite.product.url, who.userId);
    await suite.product.app.db
      .updateTable('platformTokens')
      .set(Object.fromEntries(before) as object)
      .where('userId', '=', userId)
      .execute();
    return user;
  }

  test('a token is withdrawn with campaigns held: one notification names them, and a login resumes them', async () => {
    const who = await suite.newcomer(['ACTIVE']);
    await suite.simulators.status.reports('High disruptions');
    await suite.become(who, ['PAUSED']);
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    await suite.known('HIGH_DISRUPTION');
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId, subcode: 460 });
    await suite.advance(DAY + HOUR);
    await untilRejected(who);
    const notification = await nextMailTo(suite, who.email, EXPIRED);
    expect(notification.text).toContain('1 campaign paused by SmartPause can’t be resumed until you log in');
    expect(notification.text).toContain('Campaign 0');
    await suite.simulators.status.reports('Resolved');
    await suite.known('UP');
    await signIn(suite.product.url, who.userId);
    await suite.become(who, ['ACTIVE']);
    expect((await suite.subjects(who)).filter((subject) => EXPIRED.test(subject))).toHaveLength(1);
  });

  test.each([
    ['login is disrupted', () => suite.disturbLogin()],
    [
      'the status is unknown',
      () => suite.simulators.status.post('/status', { status: 'Wobbly', only: 'orgs' }),
    ],
  ])('while %s, a failing token does not count as revoked', async (_title, disturb) => {
    const who = await suite.newcomer();
    await disturb();
    await suite.untilDisturbed();
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await suite.advance(DAY + HOUR);
    await suite.checkDue();
    const { checkAt, rejectedAt } = await suite.tokenRow(who);
    expect(checkAt).toBeGreaterThan(suite.product.clock.now());
    expect(checkAt).toBeLessThan(suite.product.clock.now() + HOUR);
    expect(rejectedAt).toBeNull();
    await suite.simulators.status.post('/reset');
    await suite.simulators.status.ask('DELETE', '/faults');
    await untilRejected(who);
  });

  const rejections = async (who: Advertiser) =>
    suite.product.app.db
      .selectFrom('activities')
      .innerJoin('users', 'users.id', 'activities.userId')
      .select('activities.id')
      .where('platformUserId', '=', who.userId)
      .where('event', '=', 'token_refused')
      .execute();

  test('a permission removed during a login outage leads to one notification, however long the outage lasts', async () => {
    const who = await suite.newcomer();
    await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    await suite.disturbLogin();
    await suite.until('the rejection', async () => {
      await suite.checkDue();
      return (await suite.tokenRow(who)).rejectedAt !== null;
    });
    // The pass that doubts a rejection also checks it; this one is certain.
    await suite.untilDisturbed();
    await suite.checkDue();
    const pageObserver = await suite.newcomer();
    for (let check = 0; check < 3; check += 1) {
      const { checkAt } = await suite.tokenRow(pageObserver);
      await suite.advance(Math.max(0, checkAt - suite.product.clock.now()));
      await suite.checkDue();
      expect((await suite.tokenRow(pageObserver)).checkAt).toBeGreaterThan(checkAt);
    }
    expect(await rejections(who)).toHaveLength(1);
  });

  test('notifies the user when data access ends before the token does', async () => {
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: 200 * 86_400, extendTokens: false });
    const who = await suite.newcomer();
    await suite.advance(91 * DAY);
    await suite.known('UP').catch(() => undefined);
    await suite.until('the rejection', async () => {
      await suite.checkDue();
      return (await suite.tokenRow(who)).rejectedReason === 'its access to data has ended';
    });
    expect(await suite.subjects(who)).toContainEqual(expect.stringMatching(EXPIRED));
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: null, extendTokens: true });
  });

  test('a token that was renewed since is not refused, and leads to no notification', async () => {
    const who = await suite.newcomer();
    const { userId, savedAt } = await suite.tokenRow(who);
    const { db } = suite.product.app;
    const now = suite.product.clock.now();
    await noteStale(db, { userId, savedAt: savedAt - 1 }, now);
    expect(await markRejected(db, { userId, reason: 'old', usedAt: savedAt - 1 }, now)).toBe(false);
    expect(await suite.accessOf(who)).toBe('ok');
    const renewed = { userId, savedAt: savedAt - 1, expiresAt: now, isShortLived: false };
    expect(await saveCheck(db, { ...renewed, checkAt: now }, now)).toBe(false);
    const slower = { userId, since: savedAt - 1, token: 'of a slower login', expiresAt: null };
    const before = await suite.tokenRow(who);
    await saveToken(
      db,
      createTokenCipher([KEY_OF_TESTS]),
      { ...slower, isShortLived: false, checkAt: now },
      now,
    );
    expect(await suite.tokenRow(who)).toEqual(before);
    expect((await suite.subjects(who)).filter((subject) => STALE.test(subject))).toEqual([]);
    await noteStale(db, { userId, savedAt }, now);
    expect((await suite.subjects(who)).filter((subject) => STALE.test(subject))).toHaveLength(1);
  });

  test('a check encrypts a token with the newest key; without its key, its user is asked to log in again', async () => {
    const [who, other] = [await suite.newcomer(), await suite.newcomer()];
    const { db } = suite.product.app;
    const { userId } = await suite.tokenRow(who);
    const due = { checkAt: new Date(suite.product.clock.now()) };
    await db.updateTable('platformTokens').set(due).where('userId', '=', userId).execute();
    const NEWER = 'another-key-of-32-characters-or-more!';
    const valid = { isValid: true, expiresAt: null, permissions: null } as const;
    await checkTokens({
      ...{ db, cipher: createTokenCipher([NEWER, KEY_OF_TESTS]), clock: suite.product.clock, staleMs: HOUR },
      login: { inspect: () => Promise.resolve({ ok: true, value: valid }) } as unknown as PlatformLogin,
      log: silentLog as unknown as Log,
      app: OPEN_APP,
    });
    const encrypted = await suite.tokenRow(who);
    expect(createTokenCipher([NEWER]).decrypt(encrypted, tokenContext(userId))).toMatch(/^EAAB/);

    // The product does not have the newer key. What it has stored is shown.
    expect(await who.user.get('/api/ad-accounts')).toEqual({ adAccounts: [expect.anything()] });
    await db.deleteFrom('adAccounts').where('userId', '=', userId).execute();
    const response = await who.user.call<{ error: { code: string } }>('GET', '/api/ad-accounts');
    expect(response.body.error.code).toBe('TOKEN_EXPIRED');
    expect([await suite.accessOf(who), await suite.accessOf(other)]).toEqual(['expired', 'ok']);
    who.user = await signIn(suite.product.url, who.userId);
    expect(await suite.accessOf(who)).toBe('ok');
  });
});
