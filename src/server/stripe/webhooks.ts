import type Stripe from 'stripe';
import type { Instant } from '#core/time.ts';

/** A charge that was refunded in full, or that the customer's bank disputes (a chargeback). */
export interface Reversal {
  chargeId: string;
  how: 'refunded' | 'disputed';
}

/** Only what it is about is taken from an event. The subscription is read from Stripe afterwards. */
export interface StripeEvent {
  id: string;
  type: string;
  /** Null: the event has no customer. */
  customerId: string | null;
  reversal: Reversal | null;
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
  'charge.refunded',
  'charge.dispute.created',
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
      const { id, type } = event;
      return { id, type, customerId: customerId ?? null, reversal: reversalOf(event) };
    } catch {
      // Signed with another secret, or not an event.
    }
  }
  return null;
}

/** A refund in parts counts with the part that completes it. */
function reversalOf(event: Stripe.Event): Reversal | null {
  if (event.type === 'charge.refunded') {
    const { id, refunded } = event.data.object;
    return refunded ? { chargeId: id, how: 'refunded' } : null;
  }
  if (event.type !== 'charge.dispute.created') return null;
  const { charge } = event.data.object;
  return { chargeId: typeof charge === 'string' ? charge : charge.id, how: 'disputed' };
}
