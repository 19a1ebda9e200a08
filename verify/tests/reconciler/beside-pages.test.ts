import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { signIn } from '../../../scripts/outside/user.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { newAdvertiser, startProduct, statusesOf, waitForStatuses } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { PAGES_CONNECTIONS, openDatabase } from '../../../src/server/db/pool/open.ts';

const GREEDY = '7111000000020';

describe('pages that use all of their database connections', () => {
  test('do not stop the reconciler from pausing', async () => {
    const simulators = await startSimulators(SIMULATORS, 'free');
    const origin = await freshDatabase();
    const patient = { log: silentLog, statementTimeoutMs: 600_000 };
    const database = await openDatabase({ url: origin.url, ...patient });
    const product = await startProduct({ simulators, database });
    const onlooker = new pg.Client(origin.url);
    await onlooker.connect();
    try {
      const who = await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE'] });
      await onlooker.query('begin; lock table deletion_request in access exclusive mode');
      const unknown = `${product.url}/api/data-deletion/${'A'.repeat(20)}`;
      const pages = Array.from({ length: 60 }, () => fetch(unknown));
      await waitFor('pages to wait for the lock', async () => {
        // Within a transaction PostgreSQL shows the activity of the first look.
        await onlooker.query('select pg_stat_clear_snapshot()');
        const { rows } = await onlooker.query<{ count: string }>(
          `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return Number(rows[0]?.count) >= PAGES_CONNECTIONS;
      });
      await simulators.status.reports('High disruptions');
      await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED']);
      await onlooker.query('rollback');
      const answers = await Promise.all(pages);
      expect(answers.filter(({ status }) => status === 404).length).toBeGreaterThan(0);
    } finally {
      await onlooker.end();
      await product.close();
      await origin.close();
      await simulators.stop();
    }
  });
});

describe('one user whose calls to Meta all hang', () => {
  const suite = startSuite();
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  test('does not block other users or the reconciler', async () => {
    const { graph, status } = suite.simulators;
    const accounts = Array.from({ length: 12 }, (_, n) => ({
      id: `act_81${n}`,
      name: 'One of many',
      currency: 'USD',
      campaigns: [],
    }));
    await graph.post('/seed', { users: [{ id: GREEDY, name: 'A. Greedy', accounts }] });
    const greedy = await signIn(suite.product.url, GREEDY);
    const held = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const manual = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await greedy.get('/api/ad-accounts');
    const fault = await graph.fault({ kind: 'hang_before', times: 0, match: { user: GREEDY } });
    const hanging = accounts.map(({ id }) => greedy.call('GET', `/api/campaigns/${id}`));
    await waitFor('four to be under way', async () => (await graph.parked(fault)) >= 4);

    suite.product.clock.advance(61_000);
    const readFrom = suite.product.clock.now();
    const list = await waitFor('the list to be read', async () => {
      const path = `/api/campaigns/${manual.accountId}`;
      const seen = await manual.user.get<{ readAt: string }>(path);
      return Date.parse(seen.readAt) >= readFrom ? seen : null;
    });
    expect(list).not.toHaveProperty('lastKnown');
    await manual.user.post(`/api/campaigns/${manual.campaignIds[0] ?? ''}/pause`);
    expect(await statusesOf(suite.simulators, manual.campaignIds)).toEqual(['PAUSED']);
    await status.reports('High disruptions');
    await waitForStatuses(suite.simulators, held.campaignIds, ['PAUSED']);
    expect(await graph.parked(fault)).toBeLessThanOrEqual(4);

    await graph.ask('DELETE', '/faults');
    await status.reports('Resolved');
    await Promise.all(hanging);
  });
});
