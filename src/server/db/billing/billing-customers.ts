import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

export interface BillingCustomer {
  personId: string;
  /** Null: asked for at Stripe, and not heard of yet. */
  customerId: string | null;
  /** The same for every attempt to create this customer. */
  requestKey: string;
}

export async function findBillingCustomer(db: Db, personId: string): Promise<BillingCustomer | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select(['customer_id', 'request_key'])
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row === undefined ? null : { personId, customerId: row.customer_id, requestKey: row.request_key };
}

/** The row under which a customer is asked for; one that is there already stays. */
export async function beginCustomer(
  db: Db,
  given: { personId: string; requestKey: string },
  now: Instant,
): Promise<void> {
  const { personId, requestKey } = given;
  await db
    .insertInto('billing_customer')
    .values({ person_id: personId, request_key: requestKey, sync_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @returns false when meanwhile the customer was forgotten, or asked for anew */
export async function nameCustomer(
  db: Db,
  { personId, requestKey }: BillingCustomer,
  customerId: string,
): Promise<boolean> {
  const row = await db
    .updateTable('billing_customer')
    .set({ customer_id: customerId })
    .where('person_id', '=', personId)
    .where('request_key', '=', requestKey)
    .where('customer_id', 'is', null)
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** What is asked of Stripe from now on is asked under another key. */
export async function renewRequestKey(
  db: Db,
  { personId, requestKey }: BillingCustomer,
  next: string,
): Promise<void> {
  await db
    .updateTable('billing_customer')
    .set({ request_key: next })
    .where('person_id', '=', personId)
    .where('request_key', '=', requestKey)
    .execute();
}

/**
 * Stripe has this customer no longer; the next one is another.
 * @returns false when the person is another customer by now
 */
export async function forgetCustomer(
  db: Db,
  given: { personId: string; customerId: string; requestKey: string },
): Promise<boolean> {
  const row = await db
    .updateTable('billing_customer')
    .set({ customer_id: null, request_key: given.requestKey, failed_since: null, last_error: null })
    .where('person_id', '=', given.personId)
    .where('customer_id', '=', given.customerId)
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** One request at a time begins a checkout for a person. @returns false while another does */
export async function claimCheckout(
  db: Db,
  personId: string,
  until: Instant,
  now: Instant,
): Promise<boolean> {
  const row = await db
    .updateTable('billing_customer')
    .set({ checkout_until: new Date(until) })
    .where('person_id', '=', personId)
    .where((eb) => eb.or([eb('checkout_until', 'is', null), eb('checkout_until', '<=', new Date(now))]))
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the claim until that time still keeps others out. */
export async function isCheckoutClaimed(
  db: Db,
  personId: string,
  until: Instant,
  now: Instant,
): Promise<boolean> {
  if (until <= now) return false;
  const row = await db
    .selectFrom('billing_customer')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('checkout_until', '=', new Date(until))
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseCheckout(db: Db, personId: string, until: Instant): Promise<void> {
  await db
    .updateTable('billing_customer')
    .set({ checkout_until: null })
    .where('person_id', '=', personId)
    .where('checkout_until', '=', new Date(until))
    .execute();
}

export async function findPersonOfCustomer(db: Db, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customer')
    .select('person_id')
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return row?.person_id ?? null;
}

/** One reading of Stripe, from before it is asked. */
export interface Reading {
  personId: string;
  customerId: string;
  no: number;
}

/**
 * Begins a reading: whatever this one brings replaces all that began before it.
 * @param retryAt when it is to be tried again if nobody hears of this one any more
 * @returns null when the person is no customer
 */
export async function beginReading(db: Db, personId: string, retryAt: Instant): Promise<Reading | null> {
  const row = await db
    .updateTable('billing_customer')
    .set((eb) => ({ sync_no: eb('sync_no', '+', 1), sync_at: new Date(retryAt) }))
    .where('person_id', '=', personId)
    .where('customer_id', 'is not', null)
    .returning(['customer_id', 'sync_no'])
    .executeTakeFirst();
  if (row?.customer_id == null) return null;
  return { personId, customerId: row.customer_id, no: row.sync_no };
}

/**
 * Makes this reading the one that stands, and locks it until the transaction's end.
 * @returns false when a later one stands already, or the customer is another by now
 */
export async function settleReading(tx: Db, reading: Reading, nextAt: Instant): Promise<boolean> {
  const row = await tx
    .updateTable('billing_customer')
    .set((eb) => ({
      written_no: reading.no,
      failed_since: null,
      last_error: null,
      // A later reading that is still under way has set its own time.
      sync_at: eb
        .case()
        .when('sync_no', '=', reading.no)
        .then(new Date(nextAt))
        .else(eb.ref('sync_at'))
        .end(),
    }))
    .where('person_id', '=', reading.personId)
    .where('customer_id', '=', reading.customerId)
    .where('written_no', '<', reading.no)
    .returning('person_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stripe does not tell us of this customer: since the first time in a row, and why it was the last time. */
export async function noteFailedReading(
  db: Db,
  reading: Reading,
  error: string,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('billing_customer')
    .set((eb) => ({ failed_since: eb.fn.coalesce('failed_since', eb.val(new Date(now))), last_error: error }))
    .where('person_id', '=', reading.personId)
    .where('customer_id', '=', reading.customerId)
    .where('written_no', '<', reading.no)
    .execute();
}

/** Whoever is to be read now; several processes never take the same. */
export async function claimDueReadings(
  db: Db,
  { limit, until }: { limit: number; until: Instant },
  now: Instant,
): Promise<string[]> {
  const rows = await db
    .updateTable('billing_customer')
    .set({ sync_at: new Date(until) })
    .where('person_id', 'in', (eb) =>
      eb
        .selectFrom('billing_customer')
        .select('person_id')
        .where('sync_at', '<=', new Date(now))
        .where('customer_id', 'is not', null)
        .orderBy('sync_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('person_id')
    .execute();
  return rows.map((row) => row.person_id);
}

export interface WebhookDelivery {
  /** Of what was signed. */
  signatureHash: Uint8Array;
  eventId: string;
  type: string;
}

/** What is known of a webhook: this very delivery, or its event by another one. */
export async function findDelivery(db: Db, delivery: WebhookDelivery): Promise<'replayed' | 'known' | null> {
  const rows = await db
    .selectFrom('webhook_delivery')
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
    .insertInto('webhook_delivery')
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
  await db.deleteFrom('webhook_delivery').where('received_at', '<', new Date(before)).execute();
}
