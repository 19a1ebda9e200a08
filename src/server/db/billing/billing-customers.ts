import type { NotNull } from 'kysely';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp, fromNow } from '../database.ts';

export interface BillingCustomer {
  userId: string;
  /** Null: requested from Stripe, not confirmed yet. */
  customerId: string | null;
  /** The idempotency key of all attempts to create this customer. */
  requestKey: string;
}

export async function findBillingCustomer(db: Db, userId: string): Promise<BillingCustomer | null> {
  const row = await db
    .selectFrom('stripeCustomers')
    .select(['userId', 'customerId', 'requestKey'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes the row before the request to Stripe. An existing row stays. */
export async function beginCustomer(db: Db, given: { userId: string; requestKey: string }): Promise<void> {
  const { userId, requestKey } = given;
  await db
    .insertInto('stripeCustomers')
    .values({ userId, requestKey, syncAt: fromNow(0) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns false if the customer was deleted or requested again in between */
export async function nameCustomer(
  db: Db,
  { userId, requestKey }: BillingCustomer,
  customerId: string,
): Promise<boolean> {
  const row = await db
    .updateTable('stripeCustomers')
    .set({ customerId })
    .where('userId', '=', userId)
    .where('requestKey', '=', requestKey)
    .where('customerId', 'is', null)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stripe stores the response under the old key, so later attempts need a new one. */
export async function renewRequestKey(
  db: Db,
  { userId, requestKey }: BillingCustomer,
  next: string,
): Promise<void> {
  await db
    .updateTable('stripeCustomers')
    .set({ requestKey: next })
    .where('userId', '=', userId)
    .where('requestKey', '=', requestKey)
    .execute();
}

/**
 * Stripe no longer has this customer; a later checkout creates another.
 * @returns false if the row already names another customer
 */
export async function forgetCustomer(
  db: Db,
  given: { userId: string; customerId: string; requestKey: string },
): Promise<boolean> {
  const row = await db
    .updateTable('stripeCustomers')
    .set({ customerId: null, requestKey: given.requestKey, failedSince: null, lastError: null })
    .where('userId', '=', given.userId)
    .where('customerId', '=', given.customerId)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns when the claim ends, by the database's clock; null while another request of the user holds it */
export async function claimCheckout(db: Db, userId: string, forMs: number): Promise<Instant | null> {
  // JavaScript has no microseconds, and the claim is found by this time.
  const until = sql<Instant>`date_trunc('milliseconds', ${fromNow(forMs)})`;
  const row = await db
    .updateTable('stripeCustomers')
    .set({ checkoutUntil: until })
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('checkoutUntil', 'is', null), eb('checkoutUntil', '<=', fromNow(0))]))
    .returning('checkoutUntil')
    .executeTakeFirst();
  return row?.checkoutUntil ?? null;
}

export async function isCheckoutClaimed(db: Db, userId: string, until: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('stripeCustomers')
    .select('userId')
    .where('userId', '=', userId)
    .where('checkoutUntil', '=', timestamp(until))
    .where('checkoutUntil', '>', fromNow(0))
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseCheckout(db: Db, userId: string, until: Instant): Promise<void> {
  await db
    .updateTable('stripeCustomers')
    .set({ checkoutUntil: null })
    .where('userId', '=', userId)
    .where('checkoutUntil', '=', timestamp(until))
    .execute();
}

export async function findUserOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('stripeCustomers')
    .select('userId')
    .where('customerId', '=', customerId)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** One read of a customer from Stripe. `beginSync` starts it before the request. */
export interface StripeSync {
  userId: string;
  customerId: string;
  no: number;
}

/**
 * The newest read wins: this one replaces all that began earlier.
 * @param retryInMs when to retry if this process dies during the read
 * @returns null if the user is no customer
 */
export async function beginSync(db: Db, userId: string, retryInMs: number): Promise<StripeSync | null> {
  const row = await db
    .updateTable('stripeCustomers')
    .set((eb) => ({ syncNo: eb('syncNo', '+', 1), syncAt: fromNow(retryInMs) }))
    .where('userId', '=', userId)
    .where('customerId', 'is not', null)
    .returning(['userId', 'customerId', 'syncNo as no'])
    .$narrowType<{ customerId: NotNull }>()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Marks this read as the newest result and locks the row until the transaction ends.
 * @returns false if a later read has finished, or the row names another customer
 */
export async function settleSync(tx: Db, sync: StripeSync, nextInMs: number): Promise<boolean> {
  const row = await tx
    .updateTable('stripeCustomers')
    .set((eb) => ({
      writtenNo: sync.no,
      failedSince: null,
      lastError: null,
      // A later read that is still running has set its own time.
      syncAt: eb.case().when('syncNo', '=', sync.no).then(fromNow(nextInMs)).else(eb.ref('syncAt')).end(),
    }))
    .where('userId', '=', sync.userId)
    .where('customerId', '=', sync.customerId)
    .where('writtenNo', '<', sync.no)
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the first failure of the series and the last reason. */
export async function noteFailedSync(db: Db, sync: StripeSync, error: string, now: Instant): Promise<void> {
  await db
    .updateTable('stripeCustomers')
    .set((eb) => ({ failedSince: eb.fn.coalesce('failedSince', eb.val(new Date(now))), lastError: error }))
    .where('userId', '=', sync.userId)
    .where('customerId', '=', sync.customerId)
    .where('writtenNo', '<', sync.no)
    .execute();
}

/** Claims customers whose read is due. Concurrent processes claim different rows. */
export async function claimDueSyncs(
  db: Db,
  { limit, forMs }: { limit: number; forMs: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('stripeCustomers')
    .set({ syncAt: fromNow(forMs) })
    .where('userId', 'in', (eb) =>
      eb
        .selectFrom('stripeCustomers')
        .select('userId')
        .where('syncAt', '<=', fromNow(0))
        .where('customerId', 'is not', null)
        .orderBy('syncAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('userId')
    .execute();
  return rows.map((row) => row.userId);
}
