import type { Selectable } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../scripts/outside/simulators.ts';
import type { Schema } from '../../src/server/db/schema.ts';
import type { FreshDatabase } from './database.ts';
import { freshDatabase } from './database.ts';
import type { Advertiser, TestProduct, TestProductOptions } from './product.ts';
import { newAdvertiser, startProduct } from './product.ts';

export type Wishes = Omit<Parameters<typeof newAdvertiser>[0], 'product' | 'simulators'>;

/** The product and the simulators of one suite of tests. */
export interface Suite {
  simulators: Simulators;
  product: TestProduct;
  database: FreshDatabase;
  advertiser: (wishes: Wishes) => Promise<Advertiser>;
  /** What the database holds of the person; undefined once they are deleted. */
  rowOf: (who: Pick<Advertiser, 'userId'>) => Promise<Selectable<Schema['person']> | undefined>;
}

/** To be called where tests are described: everything starts before them and stops after them. */
export function startSuite(options: Omit<TestProductOptions, 'simulators' | 'database'> = {}): Suite {
  let simulators: Simulators;
  let product: TestProduct;
  let database: FreshDatabase;

  beforeAll(async () => {
    simulators = await startSimulators(SIMULATORS, 'free');
    database = await freshDatabase();
    product = await startProduct({ ...options, simulators, database });
  });
  afterAll(async () => {
    await product.close();
    await simulators.stop();
  });

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
    advertiser: (wishes) => newAdvertiser({ ...wishes, product, simulators }),
    rowOf: ({ userId }) =>
      product.app.db
        .selectFrom('person')
        .selectAll()
        .where('platform_user_id', '=', userId)
        .executeTakeFirst(),
  };
}
