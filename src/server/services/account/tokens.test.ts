import { beforeEach, describe, expect, test } from 'vitest';
import { allMailTo, nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { KEY_OF_TESTS, waitForStatuses } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import { noteTokenEnd, resealTokens, tellStale, tokenContext } from '../../db/users/tokens.ts';
import { createVault } from '../../secrets.ts';
import { followLogin, signIn } from '../../../../scripts/outside/person.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STALE = /^Renew SmartPause's access to Meta: it ends on /;
const EXPIRED = /has lost its access to Meta: please log in again/;

describe('tokens of the platform', () => {
  const suite = startSuite();

  beforeEach(async () => {
    await suite.simulators.status.post('/reset');
    await suite.simulators.graph.ask('DELETE', '/faults');
  });

  /** Time passes, on the platform as well, and the status has been read since. */
  async function later(ms: number): Promise<void> {
    suite.product.clock.advance(ms);
    await suite.simulators.graph.post('/clock', { offsetMs: suite.product.clock.now() - Date.now() });
  }

  async function newcomer(campaigns: 'ACTIVE'[] = []): Promise<Advertiser> {
    await later(0);
    const who = await suite.advertiser({ campaigns });
    await knownStatus(who, 'UP');
    return who;
  }

  const knownStatus = (who: Advertiser, level: string) =>
    waitFor(`the level ${level}`, async () => {
      const { status } = await who.person.get<{ status: string }>('/api/status');
      return status === level;
    });
  function disturbLogin(): Promise<unknown> {
    const service = { org: 'facebook-login', service: 'Facebook Login' };
    return suite.simulators.status.post('/status', { ...service, status: 'High disruptions' });
  }
  async function accessOf(who: Advertiser): Promise<string> {
    const { user } = await who.person.get<{ user: { access: string } }>('/api/me');
    return user.access;
  }
  const tokenRow = (who: Advertiser) =>
    suite.product.app.db
      .selectFrom('platform_token')
      .innerJoin('person', 'person.id', 'platform_token.person_id')
      .select(['expires_at', 'refused_at', 'refused_reason', 'check_at', 'saved_at'])
      .where('platform_user_id', '=', who.userId)
      .executeTakeFirstOrThrow();
  const subjects = (who: Advertiser) => allMailTo(suite, who.email);

  test('a token is asked about every day, and its end is what the platform says', async () => {
    const who = await newcomer();
    const before = await tokenRow(who);
    await suite.simulators.graph.ask('DELETE', '/requests');
    await later(DAY + 2 * 60_000);
    await waitFor(
      'the check',
      async () => (await tokenRow(who)).check_at > new Date(suite.product.clock.now()),
    );
    const asked = (await suite.simulators.graph.requests()).filter(({ batch }) =>
      batch?.some(({ relative_url }) => relative_url.startsWith('debug_token')),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ tokenInQuery }) => !tokenInQuery)).toBe(true);
    const after = await tokenRow(who);
    expect(Math.abs(Number(after.expires_at) - Number(before.expires_at))).toBeLessThan(3000);
    expect(await accessOf(who)).toBe('ok');
  });

  test('seven days before its end the person is told, once, and again at the end; logging in mends it', async () => {
    const who = await newcomer();
    const { expires_at } = await tokenRow(who);
    await later(Number(expires_at) - suite.product.clock.now() - 7 * DAY - HOUR);
    who.person = await signInAgainWithoutRenewal(who);
    expect(await accessOf(who)).toBe('ok');
    await later(2 * HOUR);
    expect(await accessOf(who)).toBe('stale');
    const stale = await nextMailTo(suite, who.email, STALE);
    expect(stale.text).toContain('/auth/facebook');
    await later(2 * DAY);
    await knownStatus(who, 'UP');
    expect((await subjects(who)).filter((subject) => STALE.test(subject))).toHaveLength(1);
    await later(5 * DAY);
    await knownStatus(who, 'UP');
    expect(await accessOf(who)).toBe('expired');
    const expired = await nextMailTo(suite, who.email, EXPIRED);
    expect(expired.text).toContain('The access that Meta gave us ended on');
    const back = await signIn(suite.product.url, who.userId);
    const { user } = await back.get<{ user: { access: string } }>('/api/me');
    expect(user.access).toBe('ok');
  });

  /** A session of ours lasts thirty days; the token is put back to the one from before this login. */
  async function signInAgainWithoutRenewal(who: Advertiser) {
    const row = await suite.product.app.db
      .selectFrom('platform_token')
      .innerJoin('person', 'person.id', 'platform_token.person_id')
      .selectAll('platform_token')
      .where('platform_user_id', '=', who.userId)
      .executeTakeFirstOrThrow();
    const person = await signIn(suite.product.url, who.userId);
    const { person_id, ...rest } = row;
    await suite.product.app.db
      .updateTable('platform_token')
      .set(rest)
      .where('person_id', '=', person_id)
      .execute();
    return person;
  }

  test('a token withdrawn with campaigns held: one mail names them, and a login lets it go on', async () => {
    const who = await newcomer(['ACTIVE']);
    await suite.simulators.status.reports('High disruptions');
    await waitForStatuses(suite.simulators, who.campaignIds, ['PAUSED']);
    await nextMailTo(suite, who.email, /paused 1 campaign/);
    await knownStatus(who, 'HIGH_DISRUPTION');
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId, subcode: 460 });
    await later(DAY + HOUR);
    const mail = await nextMailTo(suite, who.email, EXPIRED);
    expect(mail.text).toContain('SmartPause holds 1 campaign now');
    expect(mail.text).toContain('Campaign 0');
    await suite.simulators.status.reports('Resolved');
    await knownStatus(who, 'UP');
    await signIn(suite.product.url, who.userId);
    await waitForStatuses(suite.simulators, who.campaignIds, ['ACTIVE']);
    expect((await subjects(who)).filter((subject) => EXPIRED.test(subject))).toHaveLength(1);
  });

  test.each([
    ['login is disrupted', disturbLogin],
    ['the status cannot be read', () => suite.simulators.status.fault({ kind: 'http', http: 503, times: 0 })],
  ])('while %s, a failing token is not taken for a revoked one', async (_title, disturb) => {
    const who = await newcomer();
    await disturb();
    await waitFor('the disturbance to be known', async () => {
      const row = await suite.product.app.db
        .selectFrom('platform_status')
        .selectAll()
        .executeTakeFirstOrThrow();
      return row.login_disrupted || row.true_level === 'UNKNOWN';
    });
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await later(DAY + HOUR);
    await waitFor('the check to be put off', async () => {
      const { check_at } = await tokenRow(who);
      return (
        check_at.getTime() > suite.product.clock.now() &&
        check_at.getTime() < suite.product.clock.now() + HOUR
      );
    });
    expect((await tokenRow(who)).refused_at).toBeNull();
    await suite.simulators.status.post('/reset');
    await suite.simulators.status.ask('DELETE', '/faults');
    await later(20 * 60_000);
    await waitFor('the refusal', async () => {
      const { refused_at } = await tokenRow(who);
      // In steps that leave the status fresh: a jump makes it UNKNOWN, and the check is put off once more.
      if (refused_at === null) {
        await later(30_000);
        await knownStatus(who, 'UP');
      }
      return refused_at !== null;
    });
  });

  test('a platform that does not answer says nothing about a token', async () => {
    const who = await newcomer();
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, method: 'POST' });
    await later(DAY + HOUR);
    await waitFor(
      'the check to be put off',
      async () => (await tokenRow(who)).check_at.getTime() > suite.product.clock.now(),
    );
    expect((await tokenRow(who)).refused_at).toBeNull();
  });

  test('ads_management taken back is as good as a refusal', async () => {
    const who = await newcomer();
    await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    await later(DAY + HOUR);
    await waitFor(
      'the refusal',
      async () => (await tokenRow(who)).refused_reason === 'ads_management was taken back',
    );
    expect(await accessOf(who)).toBe('expired');
  });

  test('a refusal that the person meets themselves is looked into at once', async () => {
    const who = await newcomer();
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    suite.product.clock.advance(6_000);
    await who.person.get('/api/ad-accounts');
    await waitFor('the refusal', async () => {
      const { refused_at } = await tokenRow(who);
      if (refused_at === null) suite.product.clock.advance(1000);
      return refused_at !== null;
    });
    expect(await accessOf(who)).toBe('expired');
  });

  const refusals = async (who: Advertiser) =>
    suite.product.app.db
      .selectFrom('activity')
      .innerJoin('person', 'person.id', 'activity.person_id')
      .select('activity.id')
      .where('platform_user_id', '=', who.userId)
      .where('event', '=', 'token_refused')
      .execute();

  test('a permission taken back during a login outage is told once, however long that lasts', async () => {
    const who = await newcomer();
    await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    await disturbLogin();
    await waitFor('the refusal', async () => {
      await later(5000);
      return (await tokenRow(who)).refused_at !== null;
    });
    // Each refusal that is doubted is looked into in the round that doubts it.
    const witness = await newcomer();
    for (let round = 0; round < 3; round += 1) {
      const { check_at } = await tokenRow(witness);
      await later(Math.max(5000, Number(check_at) - suite.product.clock.now() + 1000));
      await waitFor(
        'the next round',
        async () => Number((await tokenRow(witness)).check_at) > Number(check_at),
      );
    }
    expect(await refusals(who)).toHaveLength(1);
  });

  test('access to data that ends before the token does is told by mail', async () => {
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: 200 * 86_400, extendTokens: false });
    const who = await newcomer();
    await later(91 * DAY);
    await knownStatus(who, 'UP').catch(() => undefined);
    await waitFor('the refusal', async () => {
      suite.product.clock.advance(5000);
      return (await tokenRow(who)).refused_reason === 'its access to data has ended';
    });
    expect(await subjects(who)).toContainEqual(expect.stringMatching(EXPIRED));
    await suite.simulators.graph.post('/settings', { codeTokenSeconds: null, extendTokens: true });
  });

  test('a mail about a token that has been renewed meanwhile is not sent', async () => {
    const who = await newcomer();
    const { savedAt, personId } = await savedTokenOf(who);
    const { db } = suite.product.app;
    const now = suite.product.clock.now();
    await tellStale(db, { personId, savedAt: savedAt - 1 }, now);
    expect(await noteTokenEnd(db, { personId, savedAt: savedAt - 1, expiresAt: now }, now)).toBe(false);
    expect((await subjects(who)).filter((subject) => STALE.test(subject))).toEqual([]);
    await tellStale(db, { personId, savedAt }, now);
    expect((await subjects(who)).filter((subject) => STALE.test(subject))).toHaveLength(1);
  });

  async function savedTokenOf(who: Advertiser): Promise<{ personId: string; savedAt: number }> {
    const row = await suite.product.app.db
      .selectFrom('platform_token')
      .innerJoin('person', 'person.id', 'platform_token.person_id')
      .select(['person_id', 'saved_at'])
      .where('platform_user_id', '=', who.userId)
      .executeTakeFirstOrThrow();
    return { personId: row.person_id, savedAt: Number(row.saved_at) };
  }

  test('what an old key has sealed is sealed with the newest, a refused token as well, and the old key may go', async () => {
    const [who, refused] = [await newcomer(), await newcomer()];
    const { db } = suite.product.app;
    await db
      .updateTable('platform_token')
      .set({ refused_at: new Date() })
      .where('person_id', '=', await idOf(refused))
      .execute();
    const { keyId } = createVault([KEY_OF_TESTS]);
    const NEWER = 'another-key-of-32-characters-or-more!';
    const resealed = await resealTokens(db, createVault([NEWER, KEY_OF_TESTS]));
    expect(resealed.count).toBeGreaterThanOrEqual(2);
    expect(resealed.lost).toEqual([]);
    const onlyNewer = createVault([NEWER]);
    const rows = await db.selectFrom('platform_token').select(['person_id', 'sealed', 'key_id']).execute();
    for (const row of rows) {
      expect(row.key_id).not.toBe(keyId);
      const sealed = { sealed: row.sealed, keyId: row.key_id };
      expect(onlyNewer.open(sealed, tokenContext(row.person_id))).toMatch(/^EAAB/);
    }
    expect(await resealTokens(db, onlyNewer)).toEqual({ count: 0, lost: [] });
    await resealTokens(db, createVault([KEY_OF_TESTS, NEWER]));
    expect((await who.person.call('GET', '/api/ad-accounts')).status).toBe(200);
  });

  test('a token whose key is lost keeps no other from the new key; its person is asked to log in again', async () => {
    const people = [await newcomer(), await newcomer(), await newcomer()];
    const [before, lost, after] = people as [Advertiser, Advertiser, Advertiser];
    const { db } = suite.product.app;
    const personId = await idOf(lost);
    const stranger = createVault(['a-key-that-nobody-has-any-more-at-all!']);
    const { sealed, keyId } = stranger.seal('EAAB', tokenContext(personId));
    await db
      .updateTable('platform_token')
      .set({ sealed, key_id: keyId })
      .where('person_id', '=', personId)
      .execute();
    const NEWER = 'another-key-of-32-characters-or-more!';
    const both = createVault([NEWER, KEY_OF_TESTS]);
    expect((await resealTokens(db, both)).lost).toEqual([{ personId, keyId }]);
    const left = await db
      .selectFrom('platform_token')
      .select('person_id')
      .where('key_id', '<>', both.keyId)
      .execute();
    expect(left).toEqual([{ person_id: personId }]);
    await resealTokens(db, createVault([KEY_OF_TESTS, NEWER]));

    await db.deleteFrom('ad_account').where('person_id', '=', personId).execute();
    const answer = await lost.person.call<{ error: { code: string } }>('GET', '/api/ad-accounts');
    expect(answer.body.error.code).toBe('TOKEN_EXPIRED');
    expect(await Promise.all([before, lost, after].map(accessOf))).toEqual(['ok', 'expired', 'ok']);
    lost.person = await signIn(suite.product.url, lost.userId);
    expect(await accessOf(lost)).toBe('ok');
    expect((await lost.person.call('GET', '/api/ad-accounts')).status).toBe(200);
  });

  async function idOf(who: Advertiser): Promise<string> {
    return (await suite.rowOf(who))?.id ?? '';
  }
});
