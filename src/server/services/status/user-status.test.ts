import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { OPEN_APP, plantUser, useFreshDb } from '../../../../test/support/database.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';
import type { UserStatus } from '../../../contract/shapes.ts';
import { readCoverage } from '../../db/reports/coverage.ts';
import { readStillRunning } from '../../db/reports/still-running.ts';
import { readHeldAccounts } from '../../db/reports/held-accounts.ts';
import { findUser } from '../../db/users/users.ts';
import { getUserStatus } from './user-status.ts';

describe('[UX-01, UX-02, UX-05, UX-09] the counts of a user', () => {
  const suite = startSuite();
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  const statusOf = async ({ user }: Advertiser) =>
    (await user.get<{ status: UserStatus }>('/api/user/status')).status;

  test('each user gets the numbers of their own campaigns', async () => {
    const resume = { mode: 'delay', delay: { value: 1, unit: 'hours' } };
    const maya = await suite.advertiser({
      campaigns: ['ACTIVE', 'ACTIVE', 'ACTIVE', 'PAUSED'],
      on: 2,
      resume,
    });
    const omar = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'], on: 0 });
    const before = await statusOf(maya);
    expect(before).toMatchObject({ heldCampaigns: 0, heldAccounts: [], hasChosenCampaigns: true });
    expect((await statusOf(omar)).hasChosenCampaigns).toBe(false);
    expect(before.protectedRunning).toBeUndefined();

    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(maya, ['PAUSED', 'PAUSED', 'ACTIVE', 'PAUSED']);
    await suite.until('both to be held', async () => (await statusOf(maya)).heldCampaigns === 2);
    const matched = await statusOf(maya);
    expect(matched).toMatchObject({ heldCampaigns: 2, protectedRunning: 2 });
    const spend = { count: 2, budget: 2001, unknownBudgets: 0 };
    expect(matched.heldAccounts).toEqual([
      {
        id: maya.accountId,
        name: 'An account',
        count: 2,
        spend,
        currency: 'USD',
        timeZone: 'America/New_York',
      },
    ]);
    expect(await statusOf(omar)).toMatchObject({ heldCampaigns: 0, heldAccounts: [], protectedRunning: 0 });

    const { db } = suite.product.app;
    const onLeaving = async () => (await statusOf(maya)).heldAccounts?.map((one) => one.leavingObstacle);
    const block = (ms: number) =>
      db
        .updateTable('adAccounts')
        .set({ writesBlockedUntil: new Date(suite.product.clock.now() + ms) })
        .where('id', '=', maya.accountId)
        .execute();
    // In the match nothing is due, and its user may leave.
    expect(await onLeaving()).toEqual([undefined]);
    await block(60_000);
    expect(await onLeaving()).toEqual(['blocked']);
    // The next change is tried.
    await block(0);
    expect(await onLeaving()).toEqual([undefined]);
    await suite.report('Resolved', 'UP');
    const delayedBy = async () => (await statusOf(maya)).heldAccounts?.map((one) => one.delayedBy);
    expect(await delayedBy()).toEqual([undefined]);
    await db
      .updateTable('workItems')
      .set({ blockedUntil: new Date(suite.product.clock.now() + 7_200_000) })
      .where('accountId', '=', maya.accountId)
      .execute();
    expect(await delayedBy()).toEqual(['limited']);
    await db.updateTable('adAccounts').set({ lostAt: new Date() }).where('id', '=', maya.accountId).execute();
    expect(await delayedBy()).toEqual(['access_lost']);
    expect(await onLeaving()).toEqual(['access_lost']);
  });

  test('the resume waits for the threshold that the campaigns were paused for', async () => {
    const resume = { mode: 'delay', delay: { value: 1, unit: 'hours' } };
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], threshold: 'LOW', resume });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.report('Resolved', 'UP');
    const settings = { resumeSettings: resume, outageThreshold: 'HIGH', email: who.email };
    await who.user.post('/api/user/settings', settings);
    expect((await statusOf(who)).resumeAt).not.toBeNull();
    await suite.report('Low disruptions', 'LOW_DISRUPTION');
    expect(await statusOf(who)).toMatchObject({ heldCampaigns: 1, resumeAt: null });
  });

  test('campaigns that are not paused yet have a reason: Meta does not respond, or else its limit', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId };
    await suite.simulators.graph.fault({ kind: 'error', code: 2, times: 0, match });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    const set = (values: { blockedUntil: Date } | { failureKind: null }) =>
      suite.product.app.db
        .updateTable('workItems')
        .set(values)
        .where('accountId', '=', who.accountId)
        .execute();
    await set({ blockedUntil: new Date(suite.product.clock.now() + 7_200_000) });
    expect((await statusOf(who)).notYetPaused).toEqual({ count: 1, because: 'no_answer' });
    await set({ failureKind: null });
    expect((await statusOf(who)).notYetPaused).toEqual({ count: 1, because: 'limit' });
    // Nothing is paused for a user who leaves.
    await suite.product.app.db
      .updateTable('users')
      .set({ leaving: 'deauthorize', leavingAt: new Date(), leavingBy: 'user' })
      .where('platformUserId', '=', who.userId)
      .execute();
    expect(await statusOf(who)).toMatchObject({ protectedRunning: 0 });
    expect((await statusOf(who)).notYetPaused).toBeUndefined();
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.report('Resolved', 'UP');
  });

  test('the counts are of one moment, whichever read the pauses are stored after', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const { app, clock } = suite.product;
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.until('it to be held', async () => (await statusOf(who)).heldCampaigns === 1);
    const become = async (status: string) => {
      const { db } = app;
      await db.updateTable('campaigns').set({ status }).where('accountId', '=', who.accountId).execute();
      const state = status === 'PAUSED' ? 'paused' : 'pausing';
      await db.updateTable('holds').set({ state }).where('accountId', '=', who.accountId).execute();
    };
    const user = await findUser(app.db, (await suite.rowOf(who))?.id ?? '');
    if (user === null) throw new Error('the user is gone');
    for (const reads of [1, 2, 3]) {
      await become('ACTIVE');
      let left = reads;
      const db = app.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          left -= 1;
          if (left === 0) await become('PAUSED');
          return result;
        },
      });
      const { heldCampaigns, ...counts } = await getUserStatus(
        { db, clock, staleMs: 120_000, app: OPEN_APP },
        user,
      );
      const running = counts.notYetPaused?.count ?? 0;
      expect([reads, heldCampaigns + running, counts.protectedRunning]).toEqual([reads, 1, 1]);
    }
    await suite.report('Resolved', 'UP');
  });

  test('[SET-03] the threshold is locked during a disruption, and not by a status that was read too long ago', async () => {
    const { user, email } = await suite.advertiser({ campaigns: [] });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    const body = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email };
    const saved = async () => (await user.call('POST', '/api/user/settings', body)).status;
    expect(await saved()).toBe(409);
    await suite.advance(120_000);
    expect(await saved()).toBe(200);
  });
});

describe('[UX-01] the reports of a user', () => {
  const db = useFreshDb();

  test('without campaigns are zero, or unknown before an ad account was read', async () => {
    expect(await readHeldAccounts(db(), '404', { now: 0, matchBegan: null })).toEqual([]);
    expect(await readCoverage(db(), '404', { now: 0, match: null })).toEqual([]);
    expect(await readStillRunning(db(), '404', { now: 0, matchSince: null })).toEqual({
      ...{ count: 0, refused: 0, running: 0, isUnanswered: false, isLimited: false },
    });
  });

  test('name ad accounts with the most paused campaigns first, then by name', async () => {
    const userId = await plantUser(db());
    for (const [name, count] of [
      ['Birch 10', 1],
      ['Birch 9', 1],
      ['Äpfel', 1],
      ['Elm', 2],
    ] as const) {
      await sql`insert into ad_accounts (user_id, id, name, currency, seen_at)
        values (${userId}, ${name}, ${name}, 'USD', now())`.execute(db());
      await sql`with held as (
          insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
          select ${userId}, ${name}, ${name} || n, 'paused', 'LOW', 'LOW_DISRUPTION', now(), now()
          from generate_series(1, ${count}::int) n returning *)
        insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
        select user_id, campaign_id, account_id, 'ON', now() from held`.execute(db());
    }
    const accounts = await readHeldAccounts(db(), userId, { now: 0, matchBegan: null });
    expect(accounts.map(({ name }) => name)).toEqual(['Elm', 'Äpfel', 'Birch 9', 'Birch 10']);
  });
});
