import { expect, test } from 'vitest';
import { describeEachEngine, useFreshDb } from '../../../test/database.ts';
import { listAdAccounts, saveAdAccounts } from './campaigns.ts';

describeEachEngine('ad accounts', (engine) => {
  const db = useFreshDb(engine);

  test('of somebody who was deleted while Meta was asked are not kept', async () => {
    const account = { id: 'act_1', name: 'An account', currency: 'USD', accountStatus: 1 };
    await saveAdAccounts(db(), '404', [account], 0);
    expect(await listAdAccounts(db(), '404')).toEqual([]);
  });
});
