import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { countBlocked, useFreshDb } from '../../../test/support/database.ts';
import { inTransaction } from './database.ts';
import type { WorkItemClaim } from './work-items.ts';
import {
  blockWorkItem,
  claimDueWorkItems,
  ensureWorkItem,
  makeDue,
  releaseWorkItems,
  renewLeases,
} from './work-items.ts';

const AT = Date.parse('2026-01-09T02:10:00Z');
const LEASE_MS = 5_000;

const doneWith = (workItem: Pick<WorkItemClaim, 'accountId' | 'fencingToken'>) => ({
  ...workItem,
  lookAt: null,
  failures: 0,
  lastError: null,
  blockedUntil: null,
  usage: null,
});

describe('work items', () => {
  const db = useFreshDb();

  async function dueAfterRelease(
    accountId: string,
    wishAt: number | null,
    renewedUntil?: number,
  ): Promise<number | undefined> {
    await ensureWorkItem(db(), accountId);
    await makeDue(db(), [accountId], AT);
    const [claim] = await claimDueWorkItems(
      db(),
      { limit: 10, leasedAccountIds: [] },
      { owner: 'me', until: AT + LEASE_MS },
      AT,
    );
    if (claim === undefined) throw new Error('the work item was not claimed');
    if (wishAt !== null) await makeDue(db(), [accountId], wishAt);
    if (renewedUntil !== undefined) await renewLeases(db(), [claim], renewedUntil);
    const lookAt = AT + 600_000;
    await releaseWorkItems(db(), [{ ...claim, lookAt, failures: 0, lastError: null, blockedUntil: null }]);
    const row = await db()
      .selectFrom('work_item')
      .select('next_due_at')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return row.next_due_at?.getTime();
  }

  test('without another request the work item is due at the time that its holder set', async () => {
    expect(await dueAfterRelease('act_1', null)).toBe(AT + 600_000);
  });

  test('keeps a request that comes during the lease', async () => {
    expect(await dueAfterRelease('act_2', AT + 1000)).toBe(AT + 1000);
  });

  test('keeps a request that comes after the lease expired while its holder still works', async () => {
    expect(await dueAfterRelease('act_3', AT + LEASE_MS + 60_000)).toBeLessThan(AT + LEASE_MS);
  });

  test('a renewed lease keeps a request that came before', async () => {
    const wishAt = AT + 1000;
    expect(await dueAfterRelease('act_6', wishAt, AT + 2 * LEASE_MS)).toBe(wishAt);
    expect(await dueAfterRelease('act_7', null, AT + 2 * LEASE_MS)).toBe(AT + 600_000);
  });

  test('only others claim a work item whose lease expired while its holder still works', async () => {
    await sql`delete from work_item`.execute(db());
    await ensureWorkItem(db(), 'act_4');
    await makeDue(db(), ['act_4'], AT);
    const claim = (leasedAccountIds: readonly string[], owner: string, at: number) =>
      claimDueWorkItems(db(), { limit: 10, leasedAccountIds }, { owner, until: at + LEASE_MS }, at);
    const [first] = await claim([], 'me', AT);
    expect(first?.accountId).toBe('act_4');
    const after = AT + LEASE_MS + 1;
    expect(await claim(['act_4'], 'me', after)).toEqual([]);
    expect(await claim(['act_5'], 'another process', after)).toMatchObject([
      { accountId: 'act_4', fencingToken: (first?.fencingToken ?? 0) + 1 },
    ]);
    // Another holder finishes before the first notices the expired lease.
    await releaseWorkItems(db(), [
      doneWith({ accountId: 'act_4', fencingToken: (first?.fencingToken ?? 0) + 1 }),
    ]);
    await makeDue(db(), ['act_4'], after);
    expect(await claim(['act_4'], 'me', after)).toEqual([]);
    expect(await claim([], 'another process', after)).toHaveLength(1);
  });

  test('a block from a page request survives the release', async () => {
    await sql`delete from work_item`.execute(db());
    await ensureWorkItem(db(), 'act_5');
    await makeDue(db(), ['act_5'], AT);
    const claim = (at: number) =>
      claimDueWorkItems(db(), { limit: 10, leasedAccountIds: [] }, { owner: 'me', until: at + LEASE_MS }, at);
    const [first] = await claim(AT);
    await blockWorkItem(db(), 'act_5', AT + 300_000);
    await releaseWorkItems(db(), [doneWith({ accountId: 'act_5', fencingToken: first?.fencingToken ?? 0 })]);
    await makeDue(db(), ['act_5'], AT);
    expect(await claim(AT + 299_999)).toEqual([]);
    expect(await claim(AT + 300_000)).toHaveLength(1);
  });
});

describe('two transactions that lock several work items at once', () => {
  const db = useFreshDb();
  let claims: WorkItemClaim[];

  beforeAll(async () => {
    for (const accountId of ['act_2', 'act_1']) await ensureWorkItem(db(), accountId);
    await makeDue(db(), ['act_2', 'act_1'], AT);
    claims = await claimDueWorkItems(
      db(),
      { limit: 10, leasedAccountIds: [] },
      { owner: 'me', until: AT + LEASE_MS },
      AT,
    );
    claims.sort((a, b) => b.accountId.localeCompare(a.accountId));
    expect(claims.map(({ accountId }) => accountId)).toEqual(['act_2', 'act_1']);
  });

  const isWaiting = async () => (await countBlocked(db())) === 1;

  test('never wait for each other', async () => {
    const acting = await inTransaction(db(), async (tx) => {
      await sql`select from work_item where account_id = 'act_1' for update`.execute(tx);
      const begun = renewLeases(db(), claims, AT + 2 * LEASE_MS).then(
        () => 'done',
        (error: unknown) => String(error),
      );
      await waitFor('it to wait', isWaiting);
      await makeDue(tx, ['act_2'], AT);
      return { begun };
    });
    expect(await acting.begun).toBe('done');
  });
});
