import { beforeEach, describe, expect, test } from 'vitest';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS } from '../../../../test/support/product.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import { markRejected, reencryptTokens, saveCheck, tokenContext } from '../../db/users/tokens.ts';
import { noteStale } from './token-checks.ts';
import { createTokenCipher } from '../../secrets.ts';
import { followLogin, signIn } from '../../../../scripts/outside/user.ts';

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
    expect(notification.text).toContain("1 campaign paused by SmartPause can't be resumed until you log in");
    expect(notification.text).toContain('Campaign 0');
    await suite.simulators.status.reports('Resolved');
    await suite.known('UP');
    await signIn(suite.product.url, who.userId);
    await suite.become(who, ['ACTIVE']);
    expect((await suite.subjects(who)).filter((subject) => EXPIRED.test(subject))).toHaveLength(1);
  });

  test.each([
    ['login is disrupted', suite.disturbLogin],
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
    expect(await markRejected(db, { userId, reason: 'old', usedAt: savedAt - 1 }, now)).toBeNull();
    expect(await suite.accessOf(who)).toBe('ok');
    expect(
      await saveCheck(db, { userId, savedAt: savedAt - 1 }, { expiresAt: now, exchangingSince: null }, now),
    ).toBe(false);
    expect((await suite.subjects(who)).filter((subject) => STALE.test(subject))).toEqual([]);
    await noteStale(db, { userId, savedAt }, now);
    expect((await suite.subjects(who)).filter((subject) => STALE.test(subject))).toHaveLength(1);
  });

  test('re-encrypts tokens of an old key, refused ones as well, so that the old key can be removed', async () => {
    const [who, refused] = [await suite.newcomer(), await suite.newcomer()];
    const { db } = suite.product.app;
    await db
      .updateTable('platformTokens')
      .set({ rejectedAt: new Date() })
      .where('userId', '=', (await suite.tokenRow(refused)).userId)
      .execute();
    const { keyId } = createTokenCipher([KEY_OF_TESTS]);
    const NEWER = 'another-key-of-32-characters-or-more!';
    const reencrypted = await reencryptTokens(db, createTokenCipher([NEWER, KEY_OF_TESTS]));
    expect(reencrypted.count).toBeGreaterThanOrEqual(2);
    expect(reencrypted.lost).toEqual([]);
    const onlyNewer = createTokenCipher([NEWER]);
    const rows = await db.selectFrom('platformTokens').select(['userId', 'ciphertext', 'keyId']).execute();
    for (const row of rows) {
      expect(row.keyId).not.toBe(keyId);
      const encrypted = { ciphertext: row.ciphertext, keyId: row.keyId };
      expect(onlyNewer.decrypt(encrypted, tokenContext(row.userId))).toMatch(/^EAAB/);
    }
    expect(await reencryptTokens(db, onlyNewer)).toEqual({ count: 0, lost: [] });
    await reencryptTokens(db, createTokenCipher([KEY_OF_TESTS, NEWER]));
    expect((await who.user.call('GET', '/api/ad-accounts')).status).toBe(200);
  });

  test('a token whose key is lost blocks no other; its user is asked to log in again', async () => {
    const users = [await suite.newcomer(), await suite.newcomer(), await suite.newcomer()];
    const [before, lost, after] = users as [Advertiser, Advertiser, Advertiser];
    const { db } = suite.product.app;
    const userId = (await suite.tokenRow(lost)).userId;
    const stranger = createTokenCipher(['a-key-that-is-configured-no-more-here!']);
    const { ciphertext, keyId } = stranger.encrypt('EAAB', tokenContext(userId));
    await db.updateTable('platformTokens').set({ ciphertext, keyId }).where('userId', '=', userId).execute();
    const NEWER = 'another-key-of-32-characters-or-more!';
    const both = createTokenCipher([NEWER, KEY_OF_TESTS]);
    expect((await reencryptTokens(db, both)).lost).toEqual([{ userId, keyId }]);
    const left = await db
      .selectFrom('platformTokens')
      .select('userId')
      .where('keyId', '<>', both.keyId)
      .execute();
    expect(left).toEqual([{ userId }]);
    await reencryptTokens(db, createTokenCipher([KEY_OF_TESTS, NEWER]));

    await db.deleteFrom('adAccounts').where('userId', '=', userId).execute();
    const response = await lost.user.call<{ error: { code: string } }>('GET', '/api/ad-accounts');
    expect(response.body.error.code).toBe('TOKEN_EXPIRED');
    expect(await Promise.all([before, lost, after].map(suite.accessOf))).toEqual(['ok', 'expired', 'ok']);
    lost.user = await signIn(suite.product.url, lost.userId);
    expect(await suite.accessOf(lost)).toBe('ok');
    expect((await lost.user.call('GET', '/api/ad-accounts')).status).toBe(200);
  });
});
