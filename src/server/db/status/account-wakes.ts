import { sql } from 'kysely';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { inTransaction, onlyRow, timestamp } from '../database.ts';
import { makeUnlockedDue } from '../work-items.ts';

/** Few enough that a statement locks none of them for long. */
const WORK_ITEMS_AT_ONCE = 2000;

/** In the transaction of a status change, which neither grows with the number of accounts nor waits for their locks. */
export async function requestWake(tx: Db, thresholds: readonly Threshold[]): Promise<void> {
  await tx
    .insertInto('accountWakes')
    .values({ thresholds: [...thresholds], requestedAt: sql<Instant>`now()` })
    .execute();
}

/**
 * Makes the accounts of the next work items due if a status change concerns them: those with live holds, and those
 * of users with one of its thresholds. A later change begins again, for both. Locked work items are tried again with
 * each call.
 * @returns whether to call it again now; false also while another process does it, or if only locked ones are left
 */
export async function wakeNextAccounts(db: Db, limit = WORK_ITEMS_AT_ONCE): Promise<boolean> {
  const pending = await db.selectFrom('accountWakes').select('id').limit(1).executeTakeFirst();
  if (pending === undefined) return false;
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    // The lock on the oldest row is the right to work on all rows.
    const oldest = await tx
      .selectFrom('accountWakes')
      .selectAll()
      .where('id', '=', (eb) => eb.selectFrom('accountWakes').select(({ fn }) => fn.min('id').as('id')))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (oldest === undefined) return false;
    const { id, requestedAt } = oldest;
    const newer = await tx.deleteFrom('accountWakes').where('id', '>', id).returning('thresholds').execute();
    const thresholds = [...new Set([oldest, ...newer].flatMap((change) => change.thresholds))];
    const { wokenTo: from, skipped: before } = newer.length > 0 ? { wokenTo: '', skipped: [] } : oldest;
    const { to, count } = await findPiece(tx, from, limit);
    const accounts = sql`${concerned({ from, to, thresholds })} union all select unnest(${before}::text[])`;
    const skipped = await makeUnlockedDue(tx, accounts, timestamp(requestedAt));
    const isLast = count < limit;
    if (isLast && skipped.length === 0) await tx.deleteFrom('accountWakes').where('id', '=', id).execute();
    else
      await tx
        .updateTable('accountWakes')
        .set({ thresholds, wokenTo: to, skipped })
        .where('id', '=', id)
        .execute();
    return !isLast || skipped.length === 0;
  });
}

async function findPiece(tx: Db, from: string, limit: number): Promise<{ to: string; count: number }> {
  const result = await sql<{ to: string; count: number }>`
    select coalesce(max(account_id), ${from}) as to, count(*)::int as count from (
      select account_id from work_items where account_id > ${from} order by account_id limit ${limit}) piece`.execute(
    tx,
  );
  return onlyRow(result);
}

/** 'offset 0' keeps PostgreSQL from reading a whole table instead of an index for each account. */
function concerned({ from, to, thresholds }: { from: string; to: string; thresholds: readonly string[] }) {
  return sql`
    select w.account_id from work_items w where w.account_id > ${from} and w.account_id <= ${to} and (
      exists (select from holds h where h.account_id = w.account_id and h.state <> 'ended' offset 0)
      or exists (
        select from smartpause_settings sp join users p on p.id = sp.user_id
        where sp.account_id = w.account_id and sp.setting = 'ON' and p.threshold = any(${thresholds}::text[])
        offset 0))`;
}
