import { expect, test } from 'vitest';
import { accountIdOf, campaignIdOf, plantRows } from '../../../verify/bench/population.ts';
import { OffsetClock } from '../../../scripts/outside/offset-clock.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import { claimDueWorkItems, wake } from '../db/work-items.ts';
import { createReconcilerStore, emptyChanges } from './store.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);

test('stores no result of a process whose lease is over', async () => {
  await plantRows(db(), { users: 1, accountsEach: 1, campaignsEach: 1 }, new Date(clock.now()));
  await wake(db(), [accountIdOf(0)]);
  const [claim] = await claimDueWorkItems(
    db(),
    { limit: 1, leasedAccountIds: [] },
    { owner: 'the process', leaseMs: 30_000 },
  );
  if (claim === undefined) throw new Error('the work item was not claimed');
  const store = createReconcilerStore(db(), { clock, staleMs: 60_000, log: silentLog });
  const statusAfter = async (fencingToken: number) => {
    const written = [{ campaignId: campaignIdOf(0), status: 'PAUSED' as const }];
    await store.settle({ ...claim, fencingToken, changes: { ...emptyChanges(), written } });
    return (await db().selectFrom('campaigns').select('status').executeTakeFirstOrThrow()).status;
  };
  expect(await statusAfter(claim.fencingToken - 1)).toBe('ACTIVE');
  expect(await statusAfter(claim.fencingToken)).toBe('PAUSED');
});
