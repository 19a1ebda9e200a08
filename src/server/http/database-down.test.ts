import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SIMULATORS, startSimulators, type Simulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { linkTo, type DatabaseLink } from '../../../test/support/database-link.ts';
import { freshDatabase, silentLog, type FreshDatabase } from '../../../test/support/database.ts';
import {
  changesOf,
  newAdvertiser,
  startProduct,
  waitForStatuses,
  type Advertiser,
  type TestProduct,
} from '../../../test/support/product.ts';
import { openDatabase } from '../db/pool/open.ts';

describe('while the database is away', () => {
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
    product = await startProduct({ simulators, database });
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
    waitFor('all to be well', async () => {
      if ((await health()).status !== 200) return false;
      const { status, body } = await who.person.call<{ status: string }>('GET', '/api/status');
      return status === 200 && body.status === 'UP';
    });

  /** The response comes while the database is still away, so it does not wait for it. */
  async function expectRefused(path: string): Promise<void> {
    const headers = { authorization: `Bearer ${who.person.token}` };
    const answer = await fetch(product.url + path, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ error: { code: 'TRY_LATER' } });
  }

  test.each<[string, () => Promise<void> | void, RegExp]>([
    ['gone', () => link.cut(), /^gone$/],
    // A new connection is not answered (gone), or one that there was (slow).
    ['silent', () => link.silence(), /^(gone|slow)$/],
  ])('%s: its health says so, the process lives, and every call is refused', async (_what, act, word) => {
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
    expect((await who.person.call('GET', '/api/me')).status).toBe(200);
  });

  test('a statement that waits for a lock too long is refused, and goes through when the lock is gone', async () => {
    const client = new pg.Client(origin.url);
    await client.connect();
    await client.query('begin; lock table session in access exclusive mode');
    await expectRefused('/api/me');
    await client.query('rollback');
    await client.end();
    expect((await who.person.call('GET', '/api/me')).status).toBe(200);
  });

  test('many who ask at once are all answered', async () => {
    const client = new pg.Client(origin.url);
    await client.connect();
    await client.query('begin; lock table session in access exclusive mode');
    const paths = Array.from({ length: 60 }, () => '/api/me');
    const headers = { authorization: `Bearer ${who.person.token}` };
    const answers = await Promise.all(paths.map((path) => fetch(product.url + path, { headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    await client.query('rollback');
    await client.end();
  });

  test('what is reported meanwhile is done when it is back', async () => {
    await link.cut();
    await simulators.status.reports('High disruptions');
    await waitFor('the health to say so', async () => (await health()).status === 503);
    await link.mend();
    await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
    await simulators.status.reports('Resolved');
    await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE']);
  });

  test('what was reported and is over when it is back is not done any more', async () => {
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

  test('it goes away while campaigns are being paused: each is paused once, and given back', async () => {
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
        .select(['state', 'in_doubt'])
        .where('account_id', '=', many.accountId)
        .execute()
        .catch(() => []);
      return rows.length === 6 && rows.every(({ state, in_doubt }) => state === 'paused' && !in_doubt);
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

  test('a process that ends without its database ends all the same', async () => {
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
