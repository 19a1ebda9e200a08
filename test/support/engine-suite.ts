import { sql } from 'kysely';
import { afterEach } from 'vitest';
import type { AdAccount, Campaign, UserStatus } from '../../src/contract/shapes.ts';
import { LATE_WRITE_MS } from '../../src/core/reconciler/hold.ts';
import type { ActivityWords } from '../../src/core/outages/activity-text.ts';
import { activityText } from '../../src/core/outages/activity-text.ts';
import { advanceTo } from './due.ts';
import type { Advertiser } from './product.ts';
import { changesOf } from './product.ts';
import type { Wishes } from './suite.ts';
import { startSuite } from './suite.ts';

/** A call of the reconciler on Meta, as a fault matches it. */
interface Call {
  user: string;
  method: 'GET' | 'POST';
  path?: string;
}

/**
 * Call it inside `describe`. After each test Meta is up and without faults, and the users are gone.
 * @param options.keepsUsers they are those of the whole suite
 */
export function engineSuite({
  keepsUsers = false,
  ...options
}: Parameters<typeof startSuite>[0] & { keepsUsers?: boolean } = {}) {
  const suite = startSuite(options);
  const graph = () => suite.simulators.graph;
  const db = () => suite.product.app.db;

  afterEach(async () => {
    await graph().ask('DELETE', '/faults');
    await suite.simulators.status.ask('DELETE', '/faults');
    await graph().post('/limits', { tier: 'standard_access' });
    await sql`update app_state set stopped = null, since = null, probe_at = null, opened_at = null, used_at = null`.execute(
      db(),
    );
    if (!keepsUsers) await sql`delete from users`.execute(db());
    if (!keepsUsers) await sql`delete from ad_accounts`.execute(db());
    // All clocks agree again.
    await suite.advance(0);
    await suite.report('Resolved', 'UP');
    // The outages of this test would be read with each turn of the next ones.
    await suite.simulators.status.ask('DELETE', '/replay');
  });

  const workItemOf = (accountId: string) =>
    db().selectFrom('workItems').selectAll().where('accountId', '=', accountId).executeTakeFirstOrThrow();

  const holdsOf = (accountId: string) =>
    db().selectFrom('holds').selectAll().where('accountId', '=', accountId).orderBy('id').execute();

  /** What the activity log says about a campaign, except changes of its setting, oldest first. */
  async function activitiesOf({ campaignIds }: Pick<Advertiser, 'campaignIds'>, index = 0) {
    const { rows } = await sql<ActivityWords & { event: string; name: string }>`
      select event, message, detail, campaign ->> 'name' as name from activities, jsonb_each(campaigns) as c(id, campaign)
      where c.id = ${campaignIds[index] ?? ''} and event <> 'smartpause' order by activities.id`.execute(
      db(),
    );
    return rows.map(({ event, name, ...words }) => ({ event, message: activityText(words, `"${name}"`) }));
  }

  /** When the reconciler or the leaving task next has work for the user's account; null: never. */
  async function nextDueAt(who: Pick<Advertiser, 'accountId' | 'userId'>): Promise<number | null> {
    const { rows } = await sql<{ at: number | null }>`
      select min(at) as at from (
        select case when due_at is not null then greatest(due_at, blocked_until) end
          from work_items where account_id = ${who.accountId}
        union all select leaving_retry_at from users where platform_user_id = ${who.userId} and leaving is not null
      ) as due(at)`.execute(db());
    return rows[0]?.at ?? null;
  }

  /** The last write of a campaign. */
  const writeOf = ({ campaignIds }: Pick<Advertiser, 'campaignIds'>, index = 0) =>
    db()
      .selectFrom('campaignWrites')
      .selectAll()
      .where('campaignId', '=', campaignIds[index] ?? '')
      .executeTakeFirst();

  /** What is known about the validity of the user's token. */
  const tokenOf = ({ userId }: Pick<Advertiser, 'userId'>) =>
    db()
      .selectFrom('platformTokens')
      .innerJoin('users', 'users.id', 'platformTokens.userId')
      .select(['checkAt', 'checkedAt', 'rejectedAt'])
      .where('platformUserId', '=', userId)
      .executeTakeFirstOrThrow();

  const lastHold = async ({ accountId }: Pick<Advertiser, 'accountId'>) => (await holdsOf(accountId)).at(-1);

  async function later(ms: number): Promise<void> {
    await suite.advance(ms);
    await suite.turn();
  }

  /** Another advertiser with access to the same ad account, set up and with SmartPause off. */
  const colleagueOf = ({ accountId }: Pick<Advertiser, 'accountId'>): Promise<Advertiser> =>
    suite.advertiser({ campaigns: [], accountId, renews: true });

  /** A colleague who has SmartPause on for the first campaign. */
  async function protectorOf({ accountId, campaignIds }: Advertiser): Promise<Advertiser> {
    const colleague = await colleagueOf({ accountId });
    await colleague.user.setSmartPause(accountId, campaignIds[0] ?? '', true);
    return colleague;
  }

  /** Turn by turn until a fact, each at the next due time of the user's rows. */
  const eventually = (
    title: string,
    who: Pick<Advertiser, 'accountId' | 'userId'>,
    isFact: () => Promise<boolean>,
  ) =>
    suite.until(title, async () => {
      if (await isFact()) return true;
      const at = await nextDueAt(who);
      if (at !== null) await advanceTo(suite, at);
      return false;
    });

  /** The user's next writes get no response; Meta carries them out, or not. */
  const lose = (
    { userId }: Advertiser,
    kind: 'null_entry' | 'null_entry_applied' = 'null_entry',
    times = 1,
  ) => graph().fault({ kind, times, match: { user: userId, method: 'POST', op: 'inner' } });

  /** A turn that sees an outage above each user's threshold. */
  const outage = () => suite.report('High disruptions', 'HIGH_DISRUPTION');
  /** A turn that sees its end. */
  const recovery = () => suite.report('Resolved', 'UP');

  /** An advertiser paused for an outage. */
  async function heldAdvertiser(wishes: Partial<Wishes> = {}): Promise<Advertiser> {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], ...wishes });
    await outage();
    return who;
  }

  return Object.assign(suite, {
    workItemOf,
    holdsOf,
    activitiesOf,
    eventsOf: async (who: Pick<Advertiser, 'campaignIds'>, index = 0) =>
      (await activitiesOf(who, index)).map(({ event }) => event),
    /** Why the holds of the account ended, oldest first; null: resumed, or not ended. */
    reasonsOf: async ({ accountId }: Pick<Advertiser, 'accountId'>) =>
      (await holdsOf(accountId)).map(({ releaseReason }) => releaseReason),
    /** Status changes on Meta, in order. */
    changesOf: ({ campaignIds }: Pick<Advertiser, 'campaignIds'>, index = 0) =>
      changesOf(suite.simulators, campaignIds[index] ?? ''),
    outage,
    recovery,
    /** A turn after that time. */
    later,
    /** A turn when no copy of a write without a response can arrive any more. */
    expire: () => later(LATE_WRITE_MS + 1000),
    lastHold,
    tokenOf,
    writeOf,
    lose,
    eventually,
    /** Changes a campaign on Meta, as in Ads Manager. */
    edit: ({ campaignIds }: Pick<Advertiser, 'campaignIds'>, to: object, index = 0) =>
      graph().post(`/campaigns/${campaignIds[index] ?? ''}`, to),
    setSmartPause: ({ user, accountId, campaignIds }: Advertiser, isOn: boolean) =>
      user.setSmartPause(accountId, campaignIds[0] ?? '', isOn),
    /** Starts a turn, which stops at that call. @returns lets the call go and ends the turn */
    stopTurnAt: async (match: Call): Promise<() => Promise<void>> => {
      const id = await graph().fault({ kind: 'hang_before', times: 1, match });
      await suite.amid('the turn to be at that call', async () => (await graph().parked(id)) === 1);
      return async () => {
        await graph().post(`/faults/${id}/release`);
        await suite.turn();
      };
    },
    colleagueOf,
    protectorOf,
    heldAdvertiser,
    mend: () => graph().ask('DELETE', '/faults'),
    /** How often the ordered faults were met. */
    tries: async () => {
      const { faults } = await graph().ask<{ faults: { hits: number }[] }>('GET', '/faults');
      return faults.reduce((sum, { hits }) => sum + hits, 0);
    },
    /** Seeds Meta with the whole list of the user's ad accounts, and with new or changed campaigns. */
    hasAccounts: ({ userId: id }: Pick<Advertiser, 'userId'>, accounts: object[]) =>
      graph().post('/seed', { users: [{ id, name: 'Some Body', accounts }] }),
    statusOf: async ({ user }: Pick<Advertiser, 'user'>) =>
      (await user.get<{ status: UserStatus }>('/api/user/status')).status,
    accountsOf: async ({ user }: Pick<Advertiser, 'user'>) =>
      (await user.get<{ adAccounts: AdAccount[] }>('/api/ad-accounts')).adAccounts,
    /** The list of the ad account, as the page gets it. */
    campaignsOf: async ({ user, accountId }: Pick<Advertiser, 'user' | 'accountId'>) =>
      (await user.get<{ campaigns: Campaign[] }>(`/api/campaigns/${accountId}`)).campaigns,
    /** Presses a button of the first campaign. */
    press: ({ campaignIds, user }: Pick<Advertiser, 'campaignIds' | 'user'>, button: 'pause' | 'resume') =>
      user.call('POST', `/api/campaigns/${campaignIds[0] ?? ''}/${button}`),
    /** The first pause is unconfirmed, the second is done, and the first may still arrive. */
    pausedTwice: async () => {
      const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
      await lose(who);
      await outage();
      await eventually('the second pause', who, async () => (await lastHold(who))?.state === 'paused');
      return who;
    },
    /** The same for a resume. */
    resumedTwice: async () => {
      const who = await heldAdvertiser();
      await lose(who);
      await recovery();
      await eventually('the second resume', who, async () => (await lastHold(who))?.outcome === 'resumed');
      return who;
    },
  });
}
