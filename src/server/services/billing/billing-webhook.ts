import { ApiError } from '#contract/errors.ts';
import { findUserOfCustomer } from '../../db/billing/billing-customers.ts';
import { syncSubscription } from './billing-sync.ts';
import type { BillingDeps } from './billing-sync.ts';

/**
 * Reads the event's customer from Stripe. Each event does only that, so repeated and reordered events change nothing.
 * @throws ApiError INVALID_REQUEST for a forged event; BILLING_UNAVAILABLE, after which Stripe sends it again
 */
export async function receiveWebhook(
  deps: BillingDeps,
  given: { rawBody: Uint8Array; signature: string },
): Promise<void> {
  const event = deps.billing.readEvent(given.rawBody, given.signature, deps.clock.now());
  if (event === null) throw new ApiError('INVALID_REQUEST', 'not signed by Stripe, or too old');
  const { id, type, customerId } = event;
  const userId = customerId === null ? null : await findUserOfCustomer(deps.db, customerId);
  // A deleted user, or a customer of another product in the same Stripe account.
  if (userId === null) {
    if (type === 'checkout.session.completed')
      deps.log.error({ event: id, customer: customerId }, 'payment for unknown customer');
    return;
  }
  if ((await syncSubscription(deps, userId)) !== null) throw new ApiError('BILLING_UNAVAILABLE');
}
