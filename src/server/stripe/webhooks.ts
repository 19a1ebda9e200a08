import type Stripe from 'stripe';
import { z } from 'zod';
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
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.deleted',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** In seconds: the age up to which a signature is valid. */
const TOLERANCE_S = 300;

/** PostgreSQL text cannot contain NUL. */
const word = z
  .string()
  .max(255)
  .refine((text) => !text.includes('\0'));
const reference = z.union([word, z.object({ id: word }).transform(({ id }) => id)]);
const event = z.object({
  id: word.min(1),
  type: word,
  data: z.object({
    object: z.looseObject({
      object: z.string(),
      id: word.optional(),
      customer: reference.nullish(),
    }),
  }),
});

/** Null: not signed by one of our secrets, too old, or not an event. */
export function readEvent(
  stripe: Stripe,
  given: { rawBody: Uint8Array; signature: string; secrets: readonly string[] },
  now: Instant,
): StripeEvent | null {
  const { rawBody, signature, secrets } = given;
  const isGenuine = secrets.some((secret) => isSignedWith(stripe, { rawBody, signature, secret }, now));
  if (!isGenuine) return null;
  const parsed = event.safeParse(parseJson(rawBody));
  if (!parsed.success) return null;
  const { id, type, data } = parsed.data;
  const { object } = data;
  const customerId = object.object === 'customer' ? (object.id ?? null) : (object.customer ?? null);
  return { id, type, customerId };
}

function isSignedWith(
  stripe: Stripe,
  given: { rawBody: Uint8Array; signature: string; secret: string },
  now: Instant,
): boolean {
  const { rawBody, signature, secret } = given;
  try {
    stripe.webhooks.constructEvent(Buffer.from(rawBody), signature, secret, TOLERANCE_S, undefined, now);
    return true;
  } catch {
    return false;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}
