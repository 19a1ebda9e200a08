import { sql } from 'kysely';
import { claimable } from '../claim.ts';
import type { Db } from '../database.ts';
import { fromNow, inTransaction } from '../database.ts';

/** The user's customer at Stripe; null: none. */
export async function findCustomer(db: Db, userId: string): Promise<string | null> {
  const query = db.selectFrom('stripeCustomers').select('customerId').where('userId', '=', userId);
  return (await query.executeTakeFirst())?.customerId ?? null;
}

export async function findUserOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const query = db.selectFrom('stripeCustomers').select('userId').where('customerId', '=', customerId);
  return (await query.executeTakeFirst())?.userId ?? null;
}

/** @returns false if the user is leaving or gone */
export async function saveCustomer(db: Db, userId: string, customerId: string): Promise<boolean> {
  const result = await sql`
    insert into stripe_customers (user_id, customer_id, sync_at)
    select id, ${customerId}, ${fromNow(0)} from users where id = ${userId} and leaving is null for key share`.execute(
    db,
  );
  return result.numAffectedRows === 1n;
}

/** @returns false if the user has another customer by now, or none */
export async function forgetCustomer(db: Db, userId: string, customerId: string): Promise<boolean> {
  const query = db.deleteFrom('stripeCustomers').where('userId', '=', userId);
  return (await query.where('customerId', '=', customerId).executeTakeFirst()).numDeletedRows > 0n;
}

/** Ends the lock of a process that hangs. */
const LOCK_TIMEOUT = '1min';

/**
 * Runs one checkout at a time for each user, in all processes; nothing else waits for it.
 * Throws if the lock was lost in between.
 */
export function withCheckoutLock<T>(db: Db, userId: string, act: () => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
    await sql`select pg_advisory_xact_lock(hashtextextended(${`checkout ${userId}`}, 0))`.execute(tx);
    return act();
  });
}

/** One read of a customer's subscriptions from Stripe. */
export interface StripeRead {
  userId: string;
  customerId: string;
  /** By the database's clock, in microseconds. */
  startedAt: string;
}

/** Null: the user is no customer. */
export async function beginRead(db: Db, userId: string): Promise<StripeRead | null> {
  const row = await db
    .selectFrom('stripeCustomers')
    .select(['userId', 'customerId', sql<string>`clock_timestamp()::text`.as('startedAt')])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false if a read that began later is stored already, or the customer has changed */
export async function finishRead(tx: Db, read: StripeRead, nextInMs: number): Promise<boolean> {
  const syncedFrom = sql<number>`${read.startedAt}::timestamptz`;
  const row = { syncedFrom, syncAt: fromNow(nextInMs), failedSince: null, lastError: null };
  return (await updateNewest(tx, read).set(row).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Schedules a retry. Keeps the time of the first failure and the last reason. */
export async function failRead(db: Db, read: StripeRead, error: string, retryInMs: number): Promise<void> {
  await updateNewest(db, read)
    .set((eb) => ({
      failedSince: eb.fn.coalesce('failedSince', fromNow(0)),
      lastError: error,
      syncAt: fromNow(retryInMs),
    }))
    .execute();
}

function updateNewest(db: Db, { userId, customerId, startedAt }: StripeRead) {
  return db
    .updateTable('stripeCustomers')
    .where('userId', '=', userId)
    .where('customerId', '=', customerId)
    .where(sql<boolean>`coalesce(synced_from <= ${startedAt}::timestamptz, true)`);
}

/** Claims customers whose read is due. Concurrent processes claim different rows. */
export async function claimDueReads(db: Db, limit: number, forMs: number): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    update stripe_customers set sync_at = ${fromNow(forMs)}
    where user_id = any(${claimable({ table: 'stripe_customers', key: 'user_id', due: 'sync_at', limit, hasLease: false })})
    returning user_id`.execute(db);
  return rows.map(({ userId }) => userId);
}
