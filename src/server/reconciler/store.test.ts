import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_FAILURE } from '#core/platform.ts';
import { withWish } from '#core/reconciler/manual-write.ts';
import { accountIdOf, campaignIdOf, plantRows } from '../../../test/support/population.ts';
import { OffsetClock } from '../../../scripts/demo-mode/offset-clock.ts';
import { silentLog, useFreshDb } from '../../../test/support/database.ts';
import type { WriteRow } from '../db/holds/writes.ts';
import { readStatus } from '../db/status/status.ts';
import { recordStatus } from '../status/record-status.ts';
import type { WorkItemClaim } from '../db/work-items.ts';
import { claimDueWorkItems, wake } from '../db/work-items.ts';
import { createReconcilerStore } from './store.ts';

const clock = new OffsetClock();
const db = useFreshDb(clock);

async function claimed(): Promise<WorkItemClaim> {
  await wake(db(), [accountIdOf(0)]);
  const [claim] = await claimDueWorkItems(
    db(),
    { limit: 1, leasedAccountIds: [] },
    { owner: 'the process', leaseMs: 30_000 },
  );
  if (claim === undefined) throw new Error('the work item was not claimed');
  return claim;
}

beforeAll(() => plantRows(db(), { users: 1, accountsEach: 1, campaignsEach: 1 }, new Date(clock.now())));
beforeEach(async () => {
  await db().updateTable('workItems').set({ leaseUntil: null, intent: null }).execute();
});

test('stores the results of an intent once, and nothing of a process whose lease is over', async () => {
  const claim = await claimed();
  const store = createReconcilerStore(db(), { clock, staleMs: 60_000, log: silentLog });
  const about = {
    userId: '1',
    actor: 'user',
    event: 'manual_pause',
    // Cut within a character.
    facts: { name: '"\ud83d"' },
  } as const;
  const write: WriteRow = {
    ...withWish(null, { userId: '1', status: 'PAUSED', requestedAt: clock.now() }),
    ...{ accountId: accountIdOf(0), campaignId: campaignIdOf(0), state: 'done' },
    confirmed: { status: 'PAUSED', at: clock.now() + 1 },
  };
  const updates = [{ campaignId: campaignIdOf(0), write, activities: [about] }];
  const status = await readStatus(db());
  const plan = { status, decided: [], intent: updates };
  expect(await store.intend({ ...claim, generation: claim.generation - 1 }, plan)).toBe(false);
  const high = { ...status, effective: 'HIGH_DISRUPTION' } as const;
  expect(await store.intend(claim, { ...plan, status: high })).toBe(false);
  expect(await store.intend(claim, plan)).toBe(true);
  const settled = async (fencingToken: number) => {
    await store.settle({ ...claim, fencingToken }, updates);
    const { status } = await db().selectFrom('campaigns').select('status').executeTakeFirstOrThrow();
    return { status, activities: (await db().selectFrom('activities').select('id').execute()).length };
  };
  expect(await settled(claim.fencingToken - 1)).toEqual({ status: 'ACTIVE', activities: 0 });
  expect(await settled(claim.fencingToken)).toEqual({ status: 'PAUSED', activities: 1 });
  // The answer to the first commit was lost.
  expect(await settled(claim.fencingToken)).toEqual({ status: 'PAUSED', activities: 1 });
  // A list that was read counts, although nothing was sent.
  const list = { accountId: claim.accountId, campaigns: [], isPartial: true, readAt: clock.now() + 60_000 };
  const release = { ...claim, lookAt: null, ...NO_FAILURE, blockedUntil: null };
  await store.finish({ release, updates: null, list });
  const stored = await db().selectFrom('campaignLists').select('readAt').executeTakeFirst();
  expect(stored).toEqual({ readAt: list.readAt });
  expect(await store.intend(claim, plan)).toBe(false);
});

test.each([
  ['FORCE_HIGH', 'FORCE_UP'],
  ['FORCE_UP', 'FORCE_HIGH'],
] as const)(
  'stores no plan of %s after %s and the same again, before its account is woken',
  async (level, other) => {
    const become = async (directive: typeof level) => {
      clock.advance(1000);
      await recordStatus(db(), { directive }, clock.now(), { staleMs: 60_000 });
    };
    await become(level);
    const claim = await claimed();
    const store = createReconcilerStore(db(), { clock, staleMs: 60_000, log: silentLog });
    const plan = async () => ({ status: await readStatus(db()), decided: [], intent: [] });
    const planned = await plan();
    await become(other);
    await become(level);
    expect(await store.intend(claim, planned)).toBe(false);
    expect(await store.intend(claim, await plan())).toBe(true);
  },
);
