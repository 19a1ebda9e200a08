import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { minutes } from '#core/time.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { addVotes, readVotes } from '../db/detection.ts';
import { setRole } from '../services/admin/roles.ts';

const CANARY = 'act_7777';

describe('[EARLY-01, EARLY-03] calls to Meta', () => {
  const suite = startSuite();
  const db = () => suite.product.app.db;
  const graph = () => suite.simulators.graph;

  beforeAll(async () => {
    const campaigns = [{ id: '77770', name: 'Canary', status: 'PAUSED' }];
    const account = { id: CANARY, name: 'Canary', currency: 'USD', campaigns };
    await graph().post('/seed', { users: [{ id: '7', name: 'Operator', accounts: [account] }] });
    const { access_token: token } = await graph().post<{ access_token: string }>('/tokens', { userId: '7' });
    await suite.restart({ environment: { CANARY_AD_ACCOUNT: CANARY, CANARY_TOKEN: token } });
  });

  beforeEach(async () => {
    await graph().ask('DELETE', '/faults');
    await suite.simulators.status.ask('DELETE', '/faults');
    await suite.simulators.stripe.ask('DELETE', '/faults');
    await sql`delete from signals`.execute(db());
    await sql`delete from call_votes`.execute(db());
    await sql`update detection set minute = null, tests = '{}', canary = null, canary_at = null`.execute(
      db(),
    );
  });

  /** Minute by minute, as the product does it. */
  async function pass(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      await suite.advance(minutes(1));
      await suite.turn();
    }
  }

  const signals = async () => {
    const rows = db().selectFrom('signals').select(['source', 'state', 'since', 'until', 'evidence']);
    return await rows.where('source', '<>', 'early_warning').orderBy('id').execute();
  };
  const canary = async () =>
    (await db().selectFrom('detection').select('canary').executeTakeFirstOrThrow()).canary;

  test('the canary reads and validates a write each minute, and changes nothing', async () => {
    await pass(3);
    expect(await canary()).toMatchObject({ failures: 0, failed: {} });
    const { rows } = await sql<{ kind: string; good: number }>`
      select kind, sum(good)::int as good from call_votes where business = 'canary' group by kind order by kind`.execute(
      db(),
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['campaigns', 'spend', 'writes']);
    expect(await graph().ask('GET', '/writes')).toEqual({ writes: [] });
    expect(await signals()).toEqual([]);
  });

  test('[EARLY-02, EARLY-06] that all fail are watched, then suspected with their evidence for admins, and forgotten when they work again', async () => {
    const admin = await suite.advertiser({ campaigns: [] });
    await setRole(
      { db: db(), clock: suite.product.clock },
      { platformUserId: admin.userId, role: 'administrators', act: 'grant' },
    );
    await pass(5);
    await graph().post('/faults', { kind: 'error', code: 2, times: 0 });
    await pass(18);
    expect(await signals()).toMatchObject([
      { source: 'canary', state: 'WATCH' },
      {
        source: 'canary',
        state: 'SUSPECTED',
        until: null,
        evidence: { kinds: ['campaigns', 'spend'] },
      },
    ]);
    expect((await canary())?.failed).toMatchObject({ campaigns: 'error 2' });
    expect(await admin.user.get('/api/admin/early-warning')).toMatchObject({
      hasControls: true,
      canary: { failed: ['error 2'] },
      states: [
        { source: 'early_warning', state: 'SUSPECTED', acts: false },
        {
          source: 'canary',
          state: 'SUSPECTED',
          until: null,
          evidence: expect.stringMatching(
            /^Since \d+:\d\d [AP]M E[SD]T, reading campaigns and reading spend fail on SmartPause’s own ad account\.$/,
          ) as string,
        },
        { state: 'WATCH' },
      ],
    });
    await graph().ask('DELETE', '/faults');
    await pass(35);
    const ended = await signals();
    expect(ended.filter(({ until }) => until === null)).toEqual([]);
    // The record of what was found is kept.
    expect(ended.at(-1)?.evidence).toMatchObject({ kinds: ['campaigns', 'spend'] });
  });

  test('[EARLY-04] once they are watched, a dead token is found before a suspicion would protect it', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 1 });
    await pass(5);
    await graph().post('/tokens/invalidate', { userId: who.userId, subcode: 460 });
    await graph().post('/faults', { kind: 'error', code: 2, times: 0, match: { user: '7' } });
    await pass(9);
    expect(await signals()).toMatchObject([{ state: 'WATCH', until: null }]);
    const { rows } = await sql`select from platform_tokens join users on users.id = user_id
      where platform_user_id = ${who.userId} and rejected_at is not null`.execute(db());
    expect(rows).toHaveLength(1);
  });

  test('it backs off while they fail', async () => {
    await graph().post('/faults', { kind: 'error', code: 2, times: 0 });
    const calls = async () => (await canary())?.failures ?? 0;
    await pass(60);
    expect(await calls()).toBeGreaterThan(10);
    expect(await calls()).toBeLessThan(20);
  });

  test('while other hosts do not answer either, our own network is the cause', async () => {
    await pass(5);
    await graph().post('/faults', { kind: 'reset', times: 0 });
    await suite.simulators.status.post('/faults', { kind: 'reset', times: 0 });
    await pass(20);
    expect(await signals()).toMatchObject([
      { source: 'calls', state: 'UNKNOWN' },
      { source: 'canary', state: 'UNKNOWN' },
    ]);
    const { rows } = await sql<{ bad: number }>`
      select sum(bad)::int as bad from call_votes where business is not null`.execute(db());
    expect(rows[0]?.bad ?? 0).toBe(0);
  });

  test('are counted by business, and those of an ad account without one by its user', async () => {
    const shop = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const own = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await graph().post(`/accounts/${shop.accountId}`, { business: { id: '555', name: 'Shop' } });
    await suite.advance(minutes(1));
    await shop.user.get('/api/ad-accounts');
    const minute = Math.floor(suite.product.clock.now() / minutes(1)) * minutes(1);
    const calls = [shop, own].map(({ accountId }) => ({
      minute,
      accountId,
      kind: 'campaigns',
      good: 1,
      bad: 2,
      token: 0,
    }));
    await addVotes(db(), calls, { saysNothing: false });
    const { businesses, window } = await readVotes(db(), minute);
    const { id } = (await suite.rowOf(own)) ?? { id: '' };
    expect(businesses).toEqual(
      expect.arrayContaining([
        { business: '555', good: 1, bad: 2, token: 0 },
        { business: `user ${id}`, good: 1, bad: 2, token: 0 },
      ]),
    );
    expect(window).toMatchObject({ businesses: 2, failing: 2, calls: { campaigns: { bad: 4 } } });
  });
});
