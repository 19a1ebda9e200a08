import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Selectable } from 'kysely';
import type { Simulators } from '../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../scripts/outside/simulators.ts';
import { waitFor } from '../scripts/outside/wait-for.ts';
import type { Schema } from '../src/server/db/schema.ts';
import type { Engine } from './database.ts';
import { freshDatabase } from './database.ts';
import type { Advertiser, TestProduct } from './product.ts';
import { newAdvertiser, startProduct, statusesOf, waitForStatuses } from './product.ts';

type Wishes = Partial<Parameters<typeof newAdvertiser>[0]> & { campaigns: ('ACTIVE' | 'PAUSED')[] };

/** The product and the simulators of one suite; after each test the platform is well again. */
export interface EngineSuite {
  simulators: Simulators;
  product: TestProduct;
  /** The page reports this, and the product has taken notice. */
  report: (phrase: string, level: string) => Promise<void>;
  known: (level: string) => Promise<void>;
  advertiser: (options: Wishes) => Promise<Advertiser>;
  statuses: (who: Advertiser) => Promise<(string | undefined)[]>;
  become: (who: Advertiser, expected: string[]) => Promise<void>;
  laneOf: (accountId: string) => Promise<Selectable<Schema['lane']>>;
  holdsOf: (accountId: string) => Promise<Selectable<Schema['hold']>[]>;
  /** Nobody is working on the account, nothing there is due, and the status has been read since. */
  atRest: (who: Pick<Advertiser, 'accountId'>) => Promise<void>;
}

/** To be called where tests are described: it starts before them and stops after them. */
export function engineSuite(engine: Engine): EngineSuite {
  let simulators: Simulators;
  let product: TestProduct;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    product = await startProduct({ simulators, database: await freshDatabase(engine) });
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
  });
  afterEach(async () => {
    await simulators.graph.ask('DELETE', '/faults');
    await simulators.status.ask('DELETE', '/faults');
    await simulators.graph.post('/limits', { tier: 'standard_access' });
    await report('Resolved', 'UP');
  });

  const platformStatus = () =>
    product.app.db
      .selectFrom('platform_status')
      .select(['effective', 'checked_at'])
      .executeTakeFirstOrThrow();

  async function report(phrase: string, level: string): Promise<void> {
    await simulators.status.reports(phrase);
    await known(level);
  }

  async function known(level: string): Promise<void> {
    await waitFor(`the status to be ${level}`, async () => (await platformStatus()).effective === level);
  }

  const laneOf = (accountId: string) =>
    product.app.db
      .selectFrom('lane')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();

  return {
    get simulators() {
      return simulators;
    },
    get product() {
      return product;
    },
    report,
    known,
    advertiser: (options) => newAdvertiser({ product, simulators, ...options }),
    statuses: (who) => statusesOf(simulators, who.campaignIds),
    become: (who, expected) => waitForStatuses(simulators, who.campaignIds, expected),
    laneOf,
    holdsOf: (accountId) =>
      product.app.db
        .selectFrom('hold')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute(),
    atRest: async ({ accountId }) => {
      await waitFor('the account to be at rest', async () => {
        const lane = await laneOf(accountId);
        const { checked_at } = await platformStatus();
        const now = product.clock.now();
        const due = Math.max(lane.next_due_at?.getTime() ?? Infinity, lane.blocked_until?.getTime() ?? 0);
        return lane.lease_until === null && due > now && now - (checked_at?.getTime() ?? 0) < 5000;
      });
    },
  };
}
