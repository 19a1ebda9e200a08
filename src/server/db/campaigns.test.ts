import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine, freshDatabase } from '../../../test/database.ts';
import type { FreshDatabase } from '../../../test/database.ts';
import { listAdAccounts, saveAdAccounts } from './campaigns.ts';
import type { Db } from './database.ts';
import { createDb } from './database.ts';

describeEachEngine('ad accounts', (engine) => {
  let database: FreshDatabase;
  let db: Db;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    db = createDb(database.pool);
  });
  afterAll(() => database.close());

  test('of somebody who was deleted while Meta was asked are not kept', async () => {
    const account = { id: 'act_1', name: 'An account', currency: 'USD', accountStatus: 1 };
    await saveAdAccounts(db, '404', [account], 0);
    expect(await listAdAccounts(db, '404')).toEqual([]);
  });
});
