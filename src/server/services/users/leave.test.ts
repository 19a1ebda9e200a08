import { beforeEach, describe, expect, test } from 'vitest';
import { advanceTo } from '../../../../test/support/due.ts';
import { tokenSuite } from '../../../../test/support/token-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { waitFor } from '../../../../scripts/programs/wait-for.ts';
import { followLogin, signIn } from '../../../../scripts/simulator-clients/user.ts';

interface SimulatedUser {
  id: string;
  permissions: Record<string, string>;
}

describe('leaving', () => {
  const suite = tokenSuite();
  const { rowOf } = suite;
  beforeEach(async () => {
    await suite.simulators.graph.ask('DELETE', '/faults');
    // All clocks agree again.
    await suite.advance(0);
  });

  async function permissionsOf({ userId }: Advertiser): Promise<Record<string, string>> {
    const { users } = await suite.simulators.graph.ask<{ users: SimulatedUser[] }>('GET', '/state');
    return users.find(({ id }) => id === userId)?.permissions ?? {};
  }

  /** Advances time to the next attempt that the user's row states, and makes it. */
  async function continueLeaving(who: Advertiser): Promise<void> {
    await advanceTo(suite, (await rowOf(who))?.leavingRetryAt ?? 0);
    await suite.product.app.runTask('leaving');
  }

  const revoking = ({ userId }: Advertiser) => ({ method: 'DELETE', user: userId });
  const revocations = async () =>
    (await suite.simulators.graph.requests()).filter(({ method }) => method === 'DELETE');

  test('[SET-12] a user who logs in again before the revocation keeps the new permission', async () => {
    const slow = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    const back = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    const { graph } = suite.simulators;
    for (const who of [slow, back]) {
      await graph.fault({ kind: 'html', times: 0, match: revoking(who) });
      expect((await who.user.call('POST', '/api/account/deauthorize')).status).toBe(502);
    }
    const again = await signIn(suite.product.url, back.userId);
    await graph.ask('DELETE', '/faults');
    // The pass that finishes the first user has also handled the second.
    await suite.until('the first to have left', async () => {
      await continueLeaving(slow);
      return (await rowOf(slow))?.initializedAt === null;
    });
    expect((await rowOf(back))?.leaving).toBeNull();
    expect((await permissionsOf(back))['ads_management']).toBe('granted');
    expect((await again.call('GET', '/api/me')).status).toBe(200);
  });

  test('[SET-12] a user who logs in during the revocation stays, and is asked to log in again', async () => {
    const who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    const { graph } = suite.simulators;
    const fault = await graph.fault({
      kind: 'hang_before',
      applyOnRelease: true,
      times: 1,
      match: revoking(who),
    });
    const answered = who.user.call('POST', '/api/account/deauthorize');
    // Without a turn, which would also revoke.
    await waitFor('the revocation', async () => (await graph.parked(fault)) === 1);
    const again = await signIn(suite.product.url, who.userId);
    await graph.ask('DELETE', '/faults');
    expect((await answered).status).toBe(200);
    await suite.untilStatusIsTrusted();
    await suite.checkDue();
    expect(await again.get('/api/me')).toMatchObject({ user: { access: 'expired', leaving: null } });
  });

  test('[SET-12] while a campaign cannot be resumed, our permission is not revoked', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    const { graph } = suite.simulators;
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await graph.fault({ kind: 'error', code: 2, times: 0, match });
    await graph.ask('DELETE', '/requests');
    const answered = who.user.call('POST', '/api/account/deauthorize');
    await suite.amid('the request to wait', async () => (await rowOf(who))?.leaving === 'deauthorize');
    let status: number | undefined;
    void answered.then((answer) => (status = answer.status));
    // The wait may begin after the row is stored.
    await suite.amid('the answer', () => {
      suite.product.clock.advance(21_000);
      return status;
    });
    expect(status).toBe(502);
    await suite.product.app.runTask('leaving');
    expect(await revocations()).toEqual([]);
    await graph.ask('DELETE', '/faults');
    await suite.until('the user to have left', async () => {
      await suite.advance(61_000);
      return (await rowOf(who))?.leaving === null;
    });
    expect(await suite.statuses(who)).toEqual(['ACTIVE']);
    expect(await revocations()).toHaveLength(1);
    await suite.report('Resolved', 'UP');
  });

  test('[SET-12] a token that lacks a permission still revokes the others', async () => {
    const who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    await followLogin(suite.product.url, { userId: who.userId, declined: ['ads_management'] });
    await suite.until('the rejection', async () => {
      await suite.product.app.runTask('checking tokens');
      const row = await suite.product.app.db
        .selectFrom('platformTokens')
        .innerJoin('users', 'users.id', 'platformTokens.userId')
        .select('rejectedReason')
        .where('platformUserId', '=', who.userId)
        .executeTakeFirst();
      return row?.rejectedReason === 'ads_management was taken back';
    });
    await suite.simulators.graph.ask('DELETE', '/requests');
    expect((await who.user.call('POST', '/api/account/deauthorize')).status).toBe(200);
    expect(await revocations()).toHaveLength(1);
    expect(await permissionsOf(who)).toEqual({});
  });

  test('[SET-12, FR-03] a dead token that Meta refuses with code 100 has nothing to revoke, unless a login outage may be the cause', async () => {
    const who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    await suite.known('UP');
    await suite.simulators.graph.post('/tokens/invalidate', { userId: who.userId });
    await suite.simulators.graph.fault({ kind: 'error', code: 100, times: 0, match: { method: 'DELETE' } });
    await suite.disturbLogin();
    await suite.untilDisturbed();
    expect((await who.user.call('POST', '/api/account/deauthorize')).status).toBe(502);
    await suite.disturbLogin('Resolved');
    await suite.untilStatusIsTrusted();
    expect((await who.user.call('POST', '/api/account/deauthorize')).status).toBe(200);
  });

  test('[SET-13] a revocation that is asked for during a deletion does not replace it', async () => {
    const who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    await suite.simulators.graph.fault({ kind: 'html', times: 0, match: revoking(who) });
    for (const [how, code] of [
      ['delete', 'ACCOUNT_DELETE_FAILED'],
      ['deauthorize', 'DEAUTH_FAILED'],
    ] as const)
      expect(await who.user.call('POST', `/api/account/${how}`)).toMatchObject({
        ...{ status: 502, body: { error: { code } } },
      });
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.until('the user to have left', async () => {
      await continueLeaving(who);
      return ((await rowOf(who))?.initializedAt ?? null) === null;
    });
    expect(await rowOf(who)).toBeUndefined();
  });

  test('[SET-13] while rate limits prevent the revocation it is retried with growing waits, and dropped after days', async () => {
    const who = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    await suite.simulators.graph.fault({ kind: 'error', code: 613, times: 0, match: revoking(who) });
    await suite.simulators.graph.ask('DELETE', '/requests');
    expect((await who.user.call('POST', '/api/account/delete')).status).toBe(502);
    const asked = suite.product.clock.now();
    await suite.until('five tries', async () => {
      await continueLeaving(who);
      return ((await rowOf(who))?.leavingFailures ?? 0) >= 5;
    });
    expect(suite.product.clock.now() - asked).toBeGreaterThan(30_000);
    expect(await revocations()).toHaveLength(5);
    suite.product.clock.advance(3 * 24 * 3_600_000);
    await suite.until('the user to be gone', async () => {
      await continueLeaving(who);
      return (await rowOf(who)) === undefined;
    });
  });

  test('a token that cannot be decrypted does not stop other users from leaving', async () => {
    const first = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    const second = await suite.advertiser({ campaigns: ['PAUSED'], on: 0 });
    const { db } = suite.product.app;
    const { id } = (await rowOf(first)) ?? { id: '' };
    await db.updateTable('platformTokens').set({ keyId: 'lost' }).where('userId', '=', id).execute();
    const leaving = { leaving: 'delete', leavingAt: new Date(), leavingBy: 'user' } as const;
    await db.updateTable('users').set(leaving).execute();
    for (const who of [first, second])
      await suite.until('the user to be gone', async () => {
        await continueLeaving(who);
        return (await rowOf(who)) === undefined;
      });
  });
});
