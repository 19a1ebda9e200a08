import { ApiError } from '#contract/errors.ts';
import { findDelivery, findUserOfCustomer, noteDelivery } from '../../db/billing/billing-customers.ts';
import { hashSecret } from '../../secrets.ts';
import { syncSubscription } from './billing-sync.ts';
import type { BillingDeps } from './billing-sync.ts';

/**
 * Handles a Stripe event. It counts as processed in the transaction that writes the subscription,
 * so that Stripe sends it again after a failure.
 * @throws ApiError INVALID_REQUEST for a forged or replayed event; BILLING_UNAVAILABLE
 */
export async function receiveWebhook(
  deps: BillingDeps,
  given: { rawBody: Uint8Array; signature: string },
): Promise<void> {
  const event = deps.billing.readEvent(given.rawBody, given.signature, deps.clock.now());
  if (event === null) throw new ApiError('INVALID_REQUEST', 'not signed by Stripe, or too old');
  const { id: eventId, type, customerId } = event;
  const delivery = { signatureHash: hashSecret(event.signed), eventId, type };
  const known = await findDelivery(deps.db, delivery);
  // Stripe signs every attempt with a new timestamp, so an equal signature is a replay.
  if (known === 'replayed') throw new ApiError('INVALID_REQUEST', 'this was received before');
  const userId =
    known === 'known' || customerId === null ? null : await findUserOfCustomer(deps.db, customerId);
  if (userId === null) {
    if (type === 'checkout.session.completed' && known === null) {
      deps.log.error({ event: eventId, customer: customerId }, 'payment for unknown customer');
    }
    // Already processed, a deleted user, or a customer of another product in the same Stripe account.
    return noteDelivery(deps.db, delivery, deps.clock.now());
  }
  const failure = await syncSubscription(deps, userId, (tx) => noteDelivery(tx, delivery, deps.clock.now()));
  if (failure !== null) throw new ApiError('BILLING_UNAVAILABLE');
}
