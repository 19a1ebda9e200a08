import { beforeEach, describe, expect, test } from 'vitest';
import { nextMailTo } from '../../../../test/support/mail.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import { followLogin } from '../../../../scripts/simulator-clients/user.ts';

const EXPIRED = /^Your Meta connection has expired: please log in again/;

describe('[FR-03] a rejection that may mean a dead token', () => {
  const suite = tokenSuite();

  beforeEach(async () => {
    await suite.simulators.status.post('/reset');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.graph.ask('DELETE', '/requests');
  });

  const UNSUPPORTED = 'Unsupported get request. Please read the Graph API documentation';
  const ACCOUNTS = { path: 'me/adaccounts$', message: UNSUPPORTED };
  const refuse = (aim: object) =>
    suite.simulators.graph.fault({ kind: 'error', code: 100, times: 0, ...aim });
  const inspections = async (): Promise<number> =>
    (await suite.simulators.graph.requests()).filter(({ batch }) =>
      batch?.some(({ relative_url }) => relative_url.startsWith('debug_token')),
    ).length;
  /** The page's request, some time after the last one. */
  async function asksForAccounts(who: Advertiser, afterMs = 11_000): Promise<number> {
    await suite.advance(afterMs);
    const { status } = await who.user.call('GET', '/api/ad-accounts');
    await suite.untilStatusIsTrusted();
    await suite.checkDue();
    return status;
  }
  const expiredMails = async (who: Advertiser) =>
    (await suite.subjects(who)).filter((subject) => EXPIRED.test(subject));

  test.each([
    ['190', { code: 190, ...ACCOUNTS }],
    ['100 with Missing perms', { code: 100, ...ACCOUNTS, message: '(#100) Missing perms' }],
  ])('%s: the dead token is inspected once, then reconnect, with one notice', async (_title, error) => {
    const who = await suite.newcomer();
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await refuse(error);
    await asksForAccounts(who);
    expect([await suite.accessOf(who), await inspections()]).toEqual(['expired', 1]);
    for (let again = 0; again < 3; again += 1) await asksForAccounts(who);
    expect(await inspections()).toBe(1);
    expect(await expiredMails(who)).toHaveLength(1);
  });

  test('a valid token: the error stays what it is, and the token is inspected again only after minutes', async () => {
    const who = await suite.newcomer();
    await refuse(ACCOUNTS);
    for (let again = 0; again < 4; again += 1) await asksForAccounts(who);
    expect([await suite.accessOf(who), await inspections()]).toEqual(['ok', 1]);
    await asksForAccounts(who, 10 * 60_000);
    await suite.advance(60_000);
    await suite.checkDue();
    expect([await suite.accessOf(who), await inspections()]).toEqual(['ok', 2]);
    expect(await expiredMails(who)).toEqual([]);
  });

  test('a missing permission is named, on the page and in the one notice', async () => {
    const who = await suite.newcomer();
    await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    await suite.checkDue();
    const { user } = await who.user.get<{ user: object }>('/api/me');
    expect(user).toMatchObject({ access: 'expired', missingPermission: 'ads_management' });
    const mail = await nextMailTo(suite, who.email, EXPIRED);
    expect(mail.text).toContain('the permission to manage your ads (ads_management)');
  });

  test('while Meta does not inspect tokens, a dead token is retried and not revoked', async () => {
    const who = await suite.newcomer();
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, path: 'debug_token' });
    await suite.untilStatusIsTrusted();
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await refuse(ACCOUNTS);
    await suite.advance(11_000);
    await who.user.call('GET', '/api/ad-accounts');
    await suite.checkDue();
    const { rejectedAt, checkAt, checkedAt } = await suite.tokenRow(who);
    expect(checkedAt).not.toBeNull();
    expect(rejectedAt).toBeNull();
    expect(checkAt).toBeGreaterThan(suite.product.clock.now());
    expect(await expiredMails(who)).toEqual([]);
  });

  test.each([
    ['the campaigns of an account', (who: Advertiser) => ({ path: `${who.accountId}/campaigns$` })],
    ['all writes of a batch', () => ({ method: 'POST', op: 'outer', path: '^/?$' })],
    ['each write of a batch', (who: Advertiser) => ({ method: 'POST', path: `${who.campaignIds[0]}$` })],
  ])('the reconciler is refused %s: the token is inspected once', async (_title, aim) => {
    const who = await suite.newcomer(['ACTIVE']);
    await refuse(aim(who));
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.until('the inspection', async () => {
      await suite.checkDue();
      return (await suite.tokenRow(who)).checkedAt !== null;
    });
    const { checkedAt } = await suite.tokenRow(who);
    for (let again = 0; again < 3; again += 1) {
      await suite.advance(61_000);
      await suite.checkDue();
    }
    expect(await suite.tokenRow(who)).toMatchObject({ rejectedAt: null, checkedAt });
  });

  test('100/33 for one campaign does not suspect the token', async () => {
    const who = await suite.newcomer(['ACTIVE', 'ACTIVE']);
    const gone = { subcode: 33, method: 'POST', campaign: who.campaignIds[0] };
    await refuse(gone);
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['ACTIVE', 'PAUSED']);
    await suite.until('the rejection to be stored', async () => {
      const holds = suite.product.app.db.selectFrom('holds').select('failureKind');
      const { failureKind } = await holds
        .where('campaignId', '=', who.campaignIds[0] ?? '')
        .executeTakeFirstOrThrow();
      return failureKind !== null;
    });
    await suite.checkDue();
    expect((await suite.tokenRow(who)).checkedAt).toBeNull();
    expect(await inspections()).toBe(0);
  });
});
