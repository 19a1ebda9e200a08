import type { NotNull } from 'kysely';
import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { instant } from '../database.ts';
import { fromNow } from '../work-items.ts';

export interface BillingCustomer {
  userId: string;
  /** Null: requested from Stripe, not confirmed yet. */
  customerId: string | null;
  /** The idempotency key of all attempts to create this customer. */
  requestKey: string;
}

export async function findBillingCustomer(db: Db, userId: string): Promise<BillingCustomer | null> {
  const row = await db
    .selectFrom('stripe_customers')
    .select(['user_id as userId', 'customer_id as customerId', 'request_key as requestKey'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes the row before the request to Stripe. An existing row stays. */
export async function beginCustomer(db: Db, given: { userId: string; requestKey: string }): Promise<void> {
  const { userId, requestKey } = given;
  await db
    .insertInto('stripe_customers')
    .values({ user_id: userId, request_key: requestKey, sync_at: fromNow(0) })
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
    .updateTable('stripe_customers')
    .set({ customer_id: customerId })
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .where('customer_id', 'is', null)
    .returning('user_id')
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
    .updateTable('stripe_customers')
    .set({ request_key: next })
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
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
    .updateTable('stripe_customers')
    .set({ customer_id: null, request_key: given.requestKey, failed_since: null, last_error: null })
    .where('user_id', '=', given.userId)
    .where('customer_id', '=', given.customerId)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns when the claim ends, by the database's clock; null while another request of the user holds it */
export async function claimCheckout(db: Db, userId: string, forMs: number): Promise<Instant | null> {
  // JavaScript has no microseconds, and the claim is found by this time.
  const until = sql<Date>`date_trunc('milliseconds', ${fromNow(forMs)})`;
  const row = await db
    .updateTable('stripe_customers')
    .set({ checkout_until: until })
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('checkout_until', 'is', null), eb('checkout_until', '<=', fromNow(0))]))
    .returning('checkout_until')
    .executeTakeFirst();
  return instant(row?.checkout_until ?? null);
}

export async function isCheckoutClaimed(db: Db, userId: string, until: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('stripe_customers')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('checkout_until', '=', new Date(until))
    .where('checkout_until', '>', fromNow(0))
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseCheckout(db: Db, userId: string, until: Instant): Promise<void> {
  await db
    .updateTable('stripe_customers')
    .set({ checkout_until: null })
    .where('user_id', '=', userId)
    .where('checkout_until', '=', new Date(until))
    .execute();
}

export async function findUserOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('stripe_customers')
    .select('user_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.user_id ?? null;
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
    .updateTable('stripe_customers')
    .set((eb) => ({ sync_no: eb('sync_no', '+', 1), sync_at: fromNow(retryInMs) }))
    .where('user_id', '=', userId)
    .where('customer_id', 'is not', null)
    .returning(['user_id as userId', 'customer_id as customerId', 'sync_no as no'])
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
    .updateTable('stripe_customers')
    .set((eb) => ({
      written_no: sync.no,
      failed_since: null,
      last_error: null,
      // A later read that is still running has set its own time.
      sync_at: eb.case().when('sync_no', '=', sync.no).then(fromNow(nextInMs)).else(eb.ref('sync_at')).end(),
    }))
    .where('user_id', '=', sync.userId)
    .where('customer_id', '=', sync.customerId)
    .where('written_no', '<', sync.no)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the first failure of the series and the last reason. */
export async function noteFailedSync(db: Db, sync: StripeSync, error: string, now: Instant): Promise<void> {
  await db
    .updateTable('stripe_customers')
    .set((eb) => ({ failed_since: eb.fn.coalesce('failed_since', eb.val(new Date(now))), last_error: error }))
    .where('user_id', '=', sync.userId)
    .where('customer_id', '=', sync.customerId)
    .where('written_no', '<', sync.no)
    .execute();
}

/** Claims customers whose read is due. Concurrent processes claim different rows. */
export async function claimDueSyncs(
  db: Db,
  { limit, forMs }: { limit: number; forMs: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('stripe_customers')
    .set({ sync_at: fromNow(forMs) })
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('stripe_customers')
        .select('user_id')
        .where('sync_at', '<=', fromNow(0))
        .where('customer_id', 'is not', null)
        .orderBy('sync_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export interface WebhookDelivery {
  /** The hash of the signed content. */
  signatureHash: Uint8Array;
  eventId: string;
  type: string;
}

/** 'replayed': this exact delivery is stored. 'known': another delivery of its event is stored. */
export async function findDelivery(db: Db, delivery: WebhookDelivery): Promise<'replayed' | 'known' | null> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['signature_hash'])
    .where((eb) =>
      eb.or([eb('signature_hash', '=', delivery.signatureHash), eb('event_id', '=', delivery.eventId)]),
    )
    .execute();
  const isSame = rows.some(
    (row) => Buffer.compare(Buffer.from(row.signature_hash), Buffer.from(delivery.signatureHash)) === 0,
  );
  if (isSame) return 'replayed';
  return rows.length === 0 ? null : 'known';
}

export async function noteDelivery(tx: Db, delivery: WebhookDelivery, now: Instant): Promise<void> {
  await tx
    .insertInto('webhook_deliveries')
    .values({
      signature_hash: delivery.signatureHash,
      event_id: delivery.eventId,
      type: delivery.type,
      received_at: new Date(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function dropOldDeliveries(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('received_at', '<', new Date(before)).execute();
}
