import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { countBlocked, useFreshDb } from '../../../test/support/database.ts';
import { inTransaction } from './database.ts';
import type { LaneClaim } from './lanes.ts';
import { blockLane, claimDueLanes, ensureLane, makeDue, releaseLanes, renewLeases } from './lanes.ts';

const AT = Date.parse('2026-01-09T02:10:00Z');
const LEASE_MS = 5_000;

const doneWith = (lane: Pick<LaneClaim, 'accountId' | 'leaseNo'>) => ({
  ...lane,
  lookAt: null,
  failures: 0,
  lastError: null,
  blockedUntil: null,
  usage: null,
});

describe('lanes', () => {
  const db = useFreshDb();

  async function dueAfterRelease(accountId: string, wishAt: number | null): Promise<number | undefined> {
    await ensureLane(db(), accountId);
    await makeDue(db(), [accountId], AT);
    const [claim] = await claimDueLanes(
      db(),
      { limit: 10, held: [] },
      { owner: 'me', until: AT + LEASE_MS },
      AT,
    );
    if (claim === undefined) throw new Error('the lane was not claimed');
    if (wishAt !== null) await makeDue(db(), [accountId], wishAt);
    const lookAt = AT + 600_000;
    await releaseLanes(db(), [{ ...claim, lookAt, failures: 0, lastError: null, blockedUntil: null }]);
    const row = await db()
      .selectFrom('lane')
      .select('next_due_at')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return row.next_due_at?.getTime();
  }

  test('without a wish the lane is due when its holder said', async () => {
    expect(await dueAfterRelease('act_1', null)).toBe(AT + 600_000);
  });

  test('a wish that comes during the lease is kept', async () => {
    expect(await dueAfterRelease('act_2', AT + 1000)).toBe(AT + 1000);
  });

  test('a wish that comes after the lease ran out, while its holder is still at it, is kept as well', async () => {
    expect(await dueAfterRelease('act_3', AT + LEASE_MS + 60_000)).toBeLessThan(AT + LEASE_MS);
  });

  test('a lane whose lease ran out while its holder is still at it is claimed by others only', async () => {
    await sql`delete from lane`.execute(db());
    await ensureLane(db(), 'act_4');
    await makeDue(db(), ['act_4'], AT);
    const claim = (held: readonly string[], owner: string, at: number) =>
      claimDueLanes(db(), { limit: 10, held }, { owner, until: at + LEASE_MS }, at);
    const [first] = await claim([], 'me', AT);
    expect(first?.accountId).toBe('act_4');
    const after = AT + LEASE_MS + 1;
    expect(await claim(['act_4'], 'me', after)).toEqual([]);
    expect(await claim(['act_5'], 'somebody else', after)).toMatchObject([
      { accountId: 'act_4', leaseNo: (first?.leaseNo ?? 0) + 1 },
    ]);
    // The other one is done with it before the first has noticed anything.
    await releaseLanes(db(), [doneWith({ accountId: 'act_4', leaseNo: (first?.leaseNo ?? 0) + 1 })]);
    await makeDue(db(), ['act_4'], after);
    expect(await claim(['act_4'], 'me', after)).toEqual([]);
    expect(await claim([], 'somebody else', after)).toHaveLength(1);
  });

  test('a block that a page has learnt meanwhile outlives the release', async () => {
    await sql`delete from lane`.execute(db());
    await ensureLane(db(), 'act_5');
    await makeDue(db(), ['act_5'], AT);
    const claim = (at: number) =>
      claimDueLanes(db(), { limit: 10, held: [] }, { owner: 'me', until: at + LEASE_MS }, at);
    const [first] = await claim(AT);
    await blockLane(db(), 'act_5', AT + 300_000);
    await releaseLanes(db(), [doneWith({ accountId: 'act_5', leaseNo: first?.leaseNo ?? 0 })]);
    await makeDue(db(), ['act_5'], AT);
    expect(await claim(AT + 299_999)).toEqual([]);
    expect(await claim(AT + 300_000)).toHaveLength(1);
  });
});

describe('two who lock several lanes at once', () => {
  const db = useFreshDb();
  let claims: LaneClaim[];

  beforeAll(async () => {
    for (const accountId of ['act_2', 'act_1']) await ensureLane(db(), accountId);
    await makeDue(db(), ['act_2', 'act_1'], AT);
    claims = await claimDueLanes(db(), { limit: 10, held: [] }, { owner: 'me', until: AT + LEASE_MS }, AT);
    claims.sort((a, b) => b.accountId.localeCompare(a.accountId));
    expect(claims.map(({ accountId }) => accountId)).toEqual(['act_2', 'act_1']);
  });

  const isWaiting = async () => (await countBlocked(db())) === 1;

  test('never wait for each other', async () => {
    const acting = await inTransaction(db(), async (tx) => {
      await sql`select from lane where account_id = 'act_1' for update`.execute(tx);
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
