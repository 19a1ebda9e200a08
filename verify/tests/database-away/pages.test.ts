import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SIMULATORS, startSimulators, type Simulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { linkTo, type DatabaseLink } from '../../../test/support/database-link.ts';
import { freshDatabase, silentLog, type FreshDatabase } from '../../../test/support/database.ts';
import {
  QUICK,
  changesOf,
  newAdvertiser,
  startProduct,
  waitForStatuses,
  type Advertiser,
  type TestProduct,
} from '../../../test/support/product.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';

describe('while the database is unavailable', () => {
  let simulators: Simulators;
  let origin: FreshDatabase;
  let link: DatabaseLink;
  let product: TestProduct;
  let who: Advertiser;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    origin = await freshDatabase();
    link = await linkTo(origin.url);
    const limits = { maxConnections: 4, connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 };
    const database = await openDatabase({ url: link.url, log: silentLog, ...limits });
    // A lease that was cut off with the database ends soon enough to wait for it.
    product = await startProduct({ simulators, database, timings: { ...QUICK, leaseMs: 5_000 } });
    who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE'] });
  });
  afterEach(async () => {
    await simulators.status.reports('Resolved');
    await link.mend();
    await isWell();
  });
  afterAll(async () => {
    await product.close();
    await link.close();
    await origin.close();
    await simulators.stop();
  });

  const health = async () => {
    const answer = await fetch(`${product.url}/health`);
    return { status: answer.status, body: (await answer.json()) as object };
  };
  const isWell = () =>
    waitFor('the database to answer again', async () => {
      if ((await health()).status !== 200) return false;
      const { status, body } = await who.user.call<{ status: string }>('GET', '/api/status');
      return status === 200 && body.status === 'UP';
    });

  /** The response must come while the database is still unavailable. */
  async function expectRefused(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${who.user.token}` };
    const answer = await fetch(product.url + path, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ error: { code: 'TRY_LATER' } });
  }

  test.each<[string, () => Promise<void> | void, RegExp]>([
    ['gone', () => link.cut(), /^gone$/],
    // A new connection fails (gone), or an existing one does not answer (slow).
    ['silent', () => link.silence(), /^(gone|slow)$/],
  ])('%s: health reports it, the process stays up, and every call is rejected', async (_what, act, word) => {
    expect(await health()).toEqual({ status: 200, body: { healthy: true } });
    await act();
    const database: unknown = expect.stringMatching(word);
    expect(await health()).toEqual({ status: 503, body: { healthy: false, database } });
    await Promise.all(
      ['/api/me', '/api/status', '/api/user/status', `/api/campaigns/${who.accountId}`].map(expectRefused),
    );
    expect(await (await fetch(`${product.url}/health/live`)).json()).toEqual({ alive: true });
    await link.mend();
    await isWell();
    expect((await who.user.call('GET', '/api/me')).status).toBe(200);
  });

  test('while a lock lasts too long, many concurrent requests all fail; they succeed once it is free', async () => {
    const client = new pg.Client(origin.url);
    await client.connect();
    await client.query('begin; lock table session in access exclusive mode');
    await Promise.all(Array.from({ length: 60 }, () => expectRefused('/api/me')));
    await client.query('rollback');
    await client.end();
    expect((await who.user.call('GET', '/api/me')).status).toBe(200);
  });

  test('an outage that starts without the database pauses campaigns once it is back', async () => {
    await link.cut();
    await simulators.status.reports('High disruptions');
    await waitFor('the health to say so', async () => (await health()).status === 503);
    await link.mend();
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE']);
  });

  test('an outage that ends before the database is back pauses nothing', async () => {
    const before = await changesOf(simulators, who.campaignIds[0] ?? '');
    await link.cut();
    await simulators.status.reports('High disruptions');
    await waitFor('the health to say so', async () => (await health()).status === 503);
    await simulators.status.reports('Resolved');
    product.clock.advance(61_000);
    await link.mend();
    await isWell();
    expect(await changesOf(simulators, who.campaignIds[0] ?? '')).toEqual(before);
  });

  test('a database failure during a pause: each campaign is paused once, and resumed', async () => {
    const many = await newAdvertiser({
      product,
      simulators,
      campaigns: Array.from({ length: 6 }, () => 'ACTIVE' as const),
    });
    const fault = await simulators.graph.fault({
      kind: 'hang_before',
      match: { method: 'POST', user: many.userId },
    });
    await simulators.status.reports('High disruptions');
    await waitFor('the pauses to be under way', async () => (await simulators.graph.parked(fault)) > 0);
    await link.cut();
    await simulators.graph.post(`/faults/${fault}/release`);
    await waitForStatuses(
      simulators,
      many.campaignIds,
      many.campaignIds.map(() => 'PAUSED'),
    );
    await link.mend();
    await waitFor('the pauses to be known', async () => {
      const rows = await product.app.db
        .selectFrom('hold')
        .select(['state', 'sent_at'])
        .where('account_id', '=', many.accountId)
        .execute()
        .catch(() => []);
      return rows.length === 6 && rows.every(({ state }) => state === 'paused');
    });
    await simulators.status.reports('Resolved');
    await waitForStatuses(
      simulators,
      many.campaignIds,
      many.campaignIds.map(() => 'ACTIVE'),
    );
    for (const id of many.campaignIds) {
      expect(await changesOf(simulators, id)).toEqual(['PAUSED', 'ACTIVE']);
    }
  });

  test('a process ends even if its database is unavailable', async () => {
    const database = await openDatabase({
      url: link.url,
      log: silentLog,
      connectTimeoutMs: 500,
      statementTimeoutMs: 500,
    });
    const second = await startProduct({ simulators, database });
    await link.cut();
    await second.close();
    await expect(fetch(`${second.url}/health`)).rejects.toThrow();
  });
});
