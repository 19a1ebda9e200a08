import type Stripe from 'stripe';
import type { Instant } from '#core/time.ts';

/** Only the customer is taken from an event. The state is read from Stripe afterwards. */
export interface StripeEvent {
  id: string;
  type: string;
  /** Null: the event has no customer. */
  customerId: string | null;
}

/** The event types to subscribe to; other events would be ignored. */
export const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_action_required',
  'invoice.payment_failed',
  'customer.deleted',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** In seconds: the age up to which a signature is valid. */
const TOLERANCE_S = 300;

/** The part of any object of Stripe that names a customer. */
interface AnyObject {
  object: string;
  id?: string;
  customer?: string | { id: string } | null;
}

/** Null: not signed by one of our secrets, or too old. */
export function readEvent(
  { webhooks }: Stripe,
  { rawBody, signature, secrets }: { rawBody: Uint8Array; signature: string; secrets: readonly string[] },
  now: Instant,
): StripeEvent | null {
  const body = Buffer.from(rawBody);
  for (const secret of secrets) {
    try {
      const event = webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, now);
      const object = event.data.object as AnyObject;
      const customer = object.object === 'customer' ? object.id : object.customer;
      const customerId = typeof customer === 'object' ? customer?.id : customer;
      return { id: event.id, type: event.type, customerId: customerId ?? null };
    } catch {
      // Signed with another secret, or not an event.
    }
  }
  return null;
}
