import { Refusal } from '#contract/errors.ts';
import { findDelivery, findPersonOfCustomer, noteDelivery } from '../db/billing-customers.ts';
import { hashSecret } from '../secrets.ts';
import { syncSubscription } from './billing-sync.ts';
import type { OperationDeps } from './deps.ts';

/**
 * Something happened at Stripe. It is noted as dealt with in the transaction that writes our row, so that a fault in
 * between lets Stripe send it again.
 * @throws Refusal INVALID_REQUEST for what is not Stripe's or is sent once more by somebody else; BILLING_UNAVAILABLE
 */
export async function receiveWebhook(
  deps: OperationDeps,
  given: { rawBody: Uint8Array; signature: string },
): Promise<void> {
  const event = deps.billing.readEvent(given.rawBody, given.signature, deps.clock.now());
  if (event === null) throw new Refusal('INVALID_REQUEST', 'not signed by Stripe, or too old');
  const delivery = { signatureHash: hashSecret(given.signature), eventId: event.id, type: event.type };
  const known = await findDelivery(deps.db, delivery);
  // Stripe signs every attempt anew.
  if (known === 'replayed') throw new Refusal('INVALID_REQUEST', 'this was received before');
  if (known === 'known' || event.customerId === null) return;
  const personId = await findPersonOfCustomer(deps.db, event.customerId);
  // Somebody who is gone, or a customer of something else in the same Stripe account.
  if (personId === null) return;
  const isDone = await syncSubscription(deps, personId, (tx) => noteDelivery(tx, delivery, deps.clock.now()));
  if (!isDone) throw new Refusal('BILLING_UNAVAILABLE');
}
