import { Refusal } from '#contract/errors.ts';
import { findDelivery, findPersonOfCustomer, noteDelivery } from '../../db/billing/billing-customers.ts';
import { hashSecret } from '../../secrets.ts';
import { syncSubscription } from './billing-sync.ts';
import type { OperationDeps } from '../deps.ts';

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
  const { id: eventId, type, customerId } = event;
  const delivery = { signatureHash: hashSecret(event.signed), eventId, type };
  const known = await findDelivery(deps.db, delivery);
  // Stripe signs every attempt anew.
  if (known === 'replayed') throw new Refusal('INVALID_REQUEST', 'this was received before');
  const personId =
    known === 'known' || customerId === null ? null : await findPersonOfCustomer(deps.db, customerId);
  if (personId === null) {
    if (type === 'checkout.session.completed' && known === null) {
      deps.log.error({ event: eventId, customer: customerId }, 'somebody paid whom nobody here knows');
    }
    // Known already, somebody who is gone, or a customer of something else in the same Stripe account.
    return noteDelivery(deps.db, delivery, deps.clock.now());
  }
  const failure = await syncSubscription(deps, personId, (tx) =>
    noteDelivery(tx, delivery, deps.clock.now()),
  );
  if (failure !== null) throw new Refusal('BILLING_UNAVAILABLE');
}
