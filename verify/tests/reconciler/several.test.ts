import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase, silentLog } from '../../../test/support/database.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';
import type { Advertiser, TestProduct } from '../../../test/support/product.ts';
import {
  QUICK,
  changesOf,
  newAdvertiser,
  startProduct,
  waitForStatuses,
} from '../../../test/support/product.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { openDatabase } from '../../../src/server/db/pool/open.ts';

describe('several processes on one PostgreSQL', () => {
  let simulators: Simulators;
  let first: FreshDatabase;
  let products: TestProduct[];

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    first = await freshDatabase();
    const second = await openDatabase({ url: first.url, log: silentLog });
    const clock = new OffsetClock();
    products = [
      await startProduct({ simulators, database: first, clock }),
      await startProduct({ simulators, database: second, clock }),
    ];
  });
  afterAll(async () => {
    for (const product of products.toReversed()) await product.close();
    await simulators.stop();
  });

  test('[ENG-14] processes share the work without repeats, and one reads the page', async () => {
    const [one, two] = products;
    if (one === undefined || two === undefined) throw new Error('two products were started');
    const users: Advertiser[] = [];
    for (let i = 0; i < 12; i += 1) {
      const product = i % 2 === 0 ? one : two;
      users.push(await newAdvertiser({ product, simulators, campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'] }));
    }
    await simulators.graph.post('/latency', { ms: 30 });
    await simulators.status.reports('High disruptions');
    for (const who of users)
      await waitForStatuses(simulators, who.campaignIds, ['PAUSED', 'PAUSED', 'PAUSED']);
    await waitFor(
      'every pause to be reported',
      async () => (await events()).filter((e) => e === 'paused').length === 24,
    );
    await simulators.status.reports('Resolved');
    for (const who of users)
      await waitForStatuses(simulators, who.campaignIds, ['ACTIVE', 'ACTIVE', 'PAUSED']);
    await waitFor('every resume to be reported', async () => (await events()).length === 48);
    for (const { campaignIds } of users) {
      const [a = '', b = '', c = ''] = campaignIds;
      expect(await Promise.all([a, b, c].map((id) => changesOf(simulators, id)))).toEqual([
        ['PAUSED', 'ACTIVE'],
        ['PAUSED', 'ACTIVE'],
        [],
      ]);
    }
    const reads = (await simulators.status.requests()).filter(({ path }) => path === '/data/orgs.json');
    const lastedMs = Date.parse(reads.at(-1)?.at ?? '') - Date.parse(reads[0]?.at ?? '');
    // Two processes that both read at every poll would read twice as often. A slow machine only reads less.
    expect(reads.length).toBeLessThan((1.5 * lastedMs) / QUICK.pollMs);

    async function events(): Promise<string[]> {
      const rows = await one?.app.db
        .selectFrom('activity')
        .select('event')
        .where('hold_id', 'is not', null)
        .execute();
      return (rows ?? []).map(({ event }) => event);
    }
  });
});
