import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Few enough that a statement takes some 20 ms. */
const ACCOUNTS_AT_ONCE = 1000;

/** The ad accounts of a user, also those that Meta does not list any more. */
export async function findAccountsOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_accounts where user_id = ${userId}
    union select account_id from smartpause_settings where user_id = ${userId}
    union select account_id from holds where user_id = ${userId}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes those of the ad accounts that have no user, with their campaigns and work items. */
export async function dropOrphanedAccounts(db: Db, accountIds: readonly string[]): Promise<void> {
  // One statement: without its campaigns, a list would make all of them count as new.
  await sql`
    with orphans as materialized (
      select id from unnest(${[...accountIds]}::text[]) as account(id)
      where not exists (select from ad_accounts a where a.id = account.id offset 0)
        and not exists (select from smartpause_settings sp where sp.account_id = account.id offset 0)
        and not exists (select from holds h where h.account_id = account.id and h.state <> 'ended' offset 0)
    ), lists as (
      delete from campaign_lists where account_id in (select id from orphans)
    ), jobs as (
      delete from account_jobs where account_id in (select id from orphans)
    ), looks as (
      delete from delivery_looks where account_id in (select id from orphans)
    ), gone as (
      delete from campaigns where account_id in (select id from orphans) returning id
    ), spend as (
      delete from campaign_spend where campaign_id in (select id from gone union all select id from orphans)
    )
    delete from work_items where lease_until is null and account_id in (select id from orphans)`.execute(db);
}

/**
 * All of them, piece by piece: a read that was in progress while a user left may store its list afterwards, and an
 * account that a user has lost may have no other user.
 */
export async function dropAllOrphanedAccounts(db: Db, limit = ACCOUNTS_AT_ONCE): Promise<void> {
  for (let ids = await findNext(db, '', limit); ids.length > 0; ids = await findNext(db, ids.at(-1), limit))
    await dropOrphanedAccounts(db, ids);
}

/** Every stored campaign is of an account with a list. */
async function findNext(db: Db, after = '', limit: number): Promise<string[]> {
  const next = (table: string) => sql`
    (select distinct account_id from ${sql.table(table)} where account_id > ${after} order by account_id limit ${limit})`;
  const { rows } = await sql<{ accountId: string }>`
    ${next('campaign_lists')} union ${next('work_items')} union ${next('account_jobs')} order by account_id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ accountId }) => accountId);
}
