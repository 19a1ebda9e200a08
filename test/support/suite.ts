import type { Selectable } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import type { Schema } from '../../src/server/db/schema.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase } from './database.ts';
import type { Advertiser, TestProduct, TestProductOptions } from './product.ts';
import { newAdvertiser, startProduct } from './product.ts';
import type { LocalSimulators } from './simulators.ts';
import { startSimulators } from './simulators.ts';

export type Wishes = Omit<Parameters<typeof newAdvertiser>[0], 'product' | 'simulators'>;

/** The product and the simulators of one test suite. */
export interface Suite {
  simulators: LocalSimulators;
  product: TestProduct;
  database: FreshDatabase;
  advertiser: (wishes: Wishes) => Promise<Advertiser>;
  /** Waits until the product has the level. */
  known: (level: string) => Promise<void>;
  /** Sets the status page and waits until the product has the level. */
  report: (phrase: string, level: string) => Promise<void>;
  /** The user's row; undefined once the user is deleted. */
  rowOf: (who: Pick<Advertiser, 'userId'>) => Promise<Selectable<Schema['app_user']> | undefined>;
}

/** Call it inside `describe`: everything starts before its tests and stops after them. */
export function startSuite(options: Omit<TestProductOptions, 'simulators' | 'database'> = {}): Suite {
  let simulators: LocalSimulators;
  let product: TestProduct;
  let database: FreshDatabase;
  const closing = new AsyncDisposableStack();

  beforeAll(async () => {
    simulators = await startSimulators();
    closing.defer(() => simulators.stop());
    database = await freshDatabase();
    product = await startProduct({ ...options, simulators, database });
    closing.defer(() => product.close());
  });
  afterAll(() => closing.disposeAsync());

  async function known(level: string): Promise<void> {
    await waitFor(`the level ${level}`, async () => {
      const status = product.app.db.selectFrom('platform_status').select('effective');
      return (await status.executeTakeFirstOrThrow()).effective === level;
    });
  }

  return {
    get simulators() {
      return simulators;
    },
    get product() {
      return product;
    },
    get database() {
      return database;
    },
    known,
    report: async (phrase, level) => {
      await simulators.status.reports(phrase);
      await known(level);
    },
    advertiser: (wishes) => newAdvertiser({ ...wishes, product, simulators }),
    rowOf: ({ userId }) =>
      product.app.db
        .selectFrom('app_user')
        .selectAll()
        .where('platform_user_id', '=', userId)
        .executeTakeFirst(),
  };
}
