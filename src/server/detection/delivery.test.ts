import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { hours, minutes } from '#core/time.ts';
import { dayOf, localHourOf } from '#core/spend/local-hours.ts';
import {
  accountIdOf,
  campaignIdOf,
  plantCrowd,
  plantRows,
  plantTokens,
} from '../../../test/support/population.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { saveSpend } from '../db/campaign-spend.ts';
import { readDeliverySample } from '../db/delivery.ts';
import { createGraphClient } from '../platforms/meta/client.ts';
import { createSpendReports } from '../platforms/meta/insights.ts';
import { PageSizes } from '../platforms/meta/page-sizes.ts';
import { createTokenCipher } from '../secrets.ts';

const POPULATION = { users: 8, accountsEach: 1, campaignsEach: 2 };
const ACCOUNTS = Array.from({ length: POPULATION.users }, (_, n) => accountIdOf(n));
const WEEK = 7 * 24;

describe('[EARLY-01, EARLY-02] what many ad accounts deliver', () => {
  const suite = startSuite();
  const db = () => suite.product.app.db;
  const graph = () => suite.simulators.graph;
  const now = () => suite.product.clock.now();
  const run = (task: string) => suite.product.app.runTask(task);

  beforeAll(async () => {
    // The next second Wednesday of March, 3 PM: no day of the season is among the weeks before.
    await suite.advance(nextMarch(now()) - now());
    const at = new Date(now() - hours(24));
    await plantRows(db(), POPULATION, at);
    const tokens = await plantCrowd(graph(), POPULATION);
    await graph().post('/seed', { users: ACCOUNTS.map(userOf) });
    await plantTokens(db(), createTokenCipher([KEY_OF_TESTS]), tokens, at);
    await sql`update ad_accounts set time_zone = 'UTC'`.execute(db());
    await plantWeeks(tokens);
    await run('planning looks at delivery');
  });

  function nextMarch(from: number): number {
    const year = new Date(from).getUTCFullYear() + 1;
    const first = new Date(Date.UTC(year, 2, 8)).getUTCDay();
    return Date.UTC(year, 2, 8 + ((10 - first) % 7), 15);
  }
  /** In UTC and with budgets that spend more than a few dollars in an hour. */
  const userOf = (id: string, n: number) => {
    const campaigns = campaignsOf(n).map((one) => ({ id: one, name: one, daily_budget: '300000' }));
    const account = { id, name: id, currency: 'USD', timezone_name: 'UTC', campaigns };
    return { id: String(7_100_000_000_000_000 + n), name: `User ${n}`, accounts: [account] };
  };
  const campaignsOf = (account: number) => [campaignIdOf(2 * account), campaignIdOf(2 * account + 1)];

  /** As the reads of the nights have found them. */
  async function plantWeeks(tokens: readonly string[]): Promise<void> {
    const { environment, transports } = suite.simulators;
    const meta = {
      appId: environment['META_APP_ID'] ?? '',
      appSecret: environment['META_APP_SECRET'] ?? '',
      graphUrl: environment['META_GRAPH_URL'] ?? '',
      apiVersion: 'v26.0',
    };
    const graphOver = createGraphClient(meta, transports.http, now);
    const reports = createSpendReports(graphOver, new PageSizes());
    await graph().post('/insights', { reportMs: 0 });
    for (const [n, accountId] of ACCOUNTS.entries())
      for (let week = 1; week <= 4; week++) {
        const day = dayOf(localHourOf('UTC', now()) - week * WEEK);
        const token = tokens[n] ?? '';
        const begun = await reports.begin(token, accountId, day, campaignsOf(n));
        const read = await reports.read(token, accountId, day, (begun.ok && begun.value) || '');
        if (!read.ok || !(read.value instanceof Map)) throw new Error('no report');
        await saveSpend(db(), { day, readAt: now(), campaignIds: campaignsOf(n) }, read.value);
      }
  }

  /** So many minutes pass, with the tasks in each fifth. */
  async function pass(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 5) {
      await suite.advance(minutes(5));
      await run('looking at delivery');
      await run('testing delivery');
    }
  }
  const signals = async () => {
    const rows = db()
      .selectFrom('signals')
      .select(['source', 'scope', 'state', 'since', 'until', 'evidence']);
    return await rows.orderBy('id').execute();
  };
  const looks = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from delivery_looks`.execute(db())).rows[0]?.n;
  const disturb = (spend: number, forMs: number) =>
    graph().post('/disturbances', { from: now(), until: now() + forMs, spend, cpm: 1 });

  test('is looked at every 20 minutes with one call each, and as in other weeks says nothing', async () => {
    const before = (await graph().requests()).length;
    await run('looking at delivery');
    expect((await graph().requests()).slice(before)).toHaveLength(ACCOUNTS.length);
    expect(await readDeliverySample(db())).toEqual({ accounts: 8, compared: 0 });
    await pass(45);
    expect(await looks()).toBe(3 * ACCOUNTS.length);
    expect(await readDeliverySample(db())).toEqual({ accounts: 8, compared: 8 });
    expect(await signals()).toEqual([]);
  });

  test('that nothing is delivered is watched, looked at again, suspected, and over when it is', async () => {
    const begin = now();
    await disturb(0, minutes(90));
    await pass(75);
    const [watch, suspected, ...others] = await signals();
    expect(others).toEqual([]);
    expect(watch).toMatchObject({
      source: 'delivery',
      scope: 'everyone',
      state: 'WATCH',
      until: suspected?.since,
    });
    expect(suspected).toMatchObject({
      ...{ source: 'delivery', scope: 'everyone', state: 'SUSPECTED', until: null },
      evidence: { direction: 'low', accounts: 8, ofAccounts: 8, businesses: 8 },
    });
    expect(((suspected?.since ?? 0) - (watch?.since ?? 0)) / minutes(1)).toBeLessThanOrEqual(10);
    expect(((suspected?.since ?? 0) - begin) / minutes(1)).toBeLessThanOrEqual(65);
    await pass(90);
    expect((await signals()).filter(({ until }) => until === null)).toEqual([]);
  });

  test('failed reads are fewer, and end nothing before an hour has passed', async () => {
    await sql`delete from signals`.execute(db());
    await disturb(0, hours(3));
    await pass(75);
    expect((await signals()).at(-1)).toMatchObject({ state: 'SUSPECTED', until: null });
    await graph().fault({ kind: 'error', code: 2, times: 0, path: 'insights' });
    const before = (await graph().requests()).length;
    await pass(25);
    expect((await signals()).at(-1)).toMatchObject({ until: null });
    await pass(60);
    expect((await signals()).at(-1)?.until).not.toBeNull();
    const calls = (await graph().requests()).slice(before);
    // After 20 minutes at most, 20 and 40.
    expect(calls).toHaveLength(3 * ACCOUNTS.length);
    const { rows } = await sql<{ failures: number }>`
      select max((progress ->> 'failures')::int) as failures from account_jobs where kind = 'delivery'`.execute(
      db(),
    );
    expect(rows).toEqual([{ failures: 3 }]);
    await graph().ask('DELETE', '/faults');
  });

  test('nothing is read while Meta has stopped our app', async () => {
    await sql`update account_jobs set due_at = now() where kind = 'delivery'`.execute(db());
    await sql`update app_state set stopped = 'blocked', since = now(), probe_at = now() + interval '1 hour'`.execute(
      db(),
    );
    await suite.turn();
    const before = await looks();
    await pass(15);
    expect(await looks()).toBe(before);
    await sql`update app_state set stopped = null, since = null, probe_at = null`.execute(db());
  });
});
