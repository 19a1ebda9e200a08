import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach } from 'vitest';
import { signIn } from '../../scripts/outside/user.ts';
import { advanceTo } from './due.ts';
import type { Advertiser } from './product.ts';
import { plantTrial } from './planted-trial.ts';
import { statusesOf } from './product.ts';
import type { Wishes } from './suite.ts';
import { startSuite } from './suite.ts';

/**
 * Call it inside `describe`. After each test Meta is up and without faults, and the users are gone.
 * @param options.keepsUsers they are those of the whole suite
 */
export function engineSuite({
  keepsUsers = false,
  ...options
}: Parameters<typeof startSuite>[0] & { keepsUsers?: boolean } = {}) {
  const suite = startSuite(options);

  afterEach(async () => {
    await suite.simulators.graph.ask('DELETE', '/faults');
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.simulators.graph.post('/limits', { tier: 'standard_access' });
    await suite.turn();
    if (!keepsUsers) await sql`delete from app_user`.execute(suite.product.app.db);
    if (!keepsUsers) await sql`delete from ad_account`.execute(suite.product.app.db);
    await suite.report('Resolved', 'UP');
  });

  const platformStatus = () =>
    suite.product.app.db.selectFrom('platform_status').select('checked_at').executeTakeFirstOrThrow();

  const workItemOf = (accountId: string) =>
    suite.product.app.db
      .selectFrom('work_item')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();

  const holdsOf = (accountId: string) =>
    suite.product.app.db
      .selectFrom('hold')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute();

  /** Waits until the account has no lease, no due work and a recent status observation. */
  async function atRest({ accountId }: Pick<Advertiser, 'accountId'>): Promise<void> {
    await suite.until('the account to be at rest', async () => {
      const workItem = await workItemOf(accountId);
      const { checked_at } = await platformStatus();
      const now = suite.product.clock.now();
      const due = Math.max(
        workItem.next_due_at?.getTime() ?? Infinity,
        workItem.blocked_until?.getTime() ?? 0,
      );
      return workItem.lease_until === null && due > now && now - (checked_at?.getTime() ?? 0) < 5000;
    });
  }

  /** When the reconciler or the leaving task next has work for the user's account; null: never. */
  async function nextDueAt(who: Pick<Advertiser, 'accountId' | 'userId'>): Promise<number | null> {
    const { rows } = await sql<{ at: Date | null }>`
      select min(at) as at from (
        select case when next_due_at is not null then greatest(next_due_at, blocked_until) end
          from work_item where account_id = ${who.accountId} and lease_until is null
        union all select leaving_retry_at from app_user where platform_user_id = ${who.userId} and leaving is not null
      ) as due(at)`.execute(suite.product.app.db);
    return rows[0]?.at?.getTime() ?? null;
  }

  /** Waits for a fact; while it is not there, time advances from one due time of the account's rows to the next. */
  async function eventually(
    title: string,
    who: Pick<Advertiser, 'accountId' | 'userId'>,
    isFact: () => Promise<boolean>,
  ): Promise<void> {
    await suite.until(title, async () => {
      if (await isFact()) return true;
      const at = await nextDueAt(who);
      if (at !== null) await advanceTo(suite.product, at);
      await suite.product.app.runTask('checking tokens');
      await suite.product.app.runTask('leaving');
      return false;
    });
  }

  /** Another advertiser with access to the same ad account, set up and with SmartPause off. */
  async function colleagueOf({
    accountId,
  }: Pick<Advertiser, 'accountId'>): Promise<Pick<Advertiser, 'user' | 'userId'>> {
    const userId = `7100${randomInt(1e9, 1e10)}`;
    const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: [] };
    await suite.simulators.graph.post('/seed', {
      users: [{ id: userId, name: 'Colleague', accounts: [account] }],
    });
    const user = await signIn(suite.product.url, userId);
    await plantTrial(suite, { user, userId, renews: true });
    const email = `colleague${userId}@example.com`;
    await user.completeSetup({ resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email });
    await user.get('/api/ad-accounts');
    await user.get(`/api/campaigns/${accountId}`);
    return { user, userId };
  }

  /** Waits until every hold is confirmed and the account is at rest. */
  async function settled(who: Pick<Advertiser, 'accountId'>): Promise<void> {
    await suite.until('the pauses to be settled', async () =>
      (await holdsOf(who.accountId)).every(({ state, sent_at }) => state === 'paused' && sent_at === null),
    );
    await atRest(who);
  }

  return Object.assign(suite, {
    workItemOf,
    holdsOf,
    atRest,
    eventually,
    /** Waits for the statuses, across retries. */
    becomeLater: (who: Advertiser, expected: string[]) =>
      eventually(`campaigns to be ${expected.join(', ')}`, who, async () => {
        const current = await statusesOf(suite.simulators, who.campaignIds);
        return JSON.stringify(current) === JSON.stringify(expected);
      }),
    colleagueOf,
    settled,
    /** An advertiser paused for an outage and settled. */
    heldAdvertiser: async (options: Partial<Wishes> = {}) => {
      const who = await suite.advertiser({ campaigns: ['ACTIVE'], ...options });
      await suite.report('High disruptions', 'HIGH_DISRUPTION');
      await suite.become(
        who,
        who.campaignIds.map(() => 'PAUSED'),
      );
      await settled(who);
      return who;
    },
  });
}
