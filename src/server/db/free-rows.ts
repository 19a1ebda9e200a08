import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Locks those users that no other transaction has locked, and waits for none.
 * @returns by user whether they are locked for this transaction; users who no longer exist are absent
 */
export async function lockFreeUsers(tx: Db, userIds: readonly string[]): Promise<Map<string, boolean>> {
  if (userIds.length === 0) return new Map();
  const ids = sql`${[...new Set(userIds)]}::bigint[]`;
  const { rows } = await sql<{ id: string; isLocked: boolean }>`
    with free as materialized (
      select id from users where id = any(${ids}) order by id for key share skip locked)
    select users.id, free.id is not null as "isLocked" from users left join free on free.id = users.id
    where users.id = any(${ids})`.execute(tx);
  return new Map(rows.map(({ id, isLocked }) => [id, isLocked]));
}

/** Locks those work items that no other transaction has locked, waits for none, and returns their accounts. */
export async function lockFreeWorkItems(tx: Db, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id from work_items where account_id = any(${[...accountIds]}::text[])
    order by account_id for update skip locked`.execute(tx);
  return new Set(rows.map((row) => row.accountId));
}
