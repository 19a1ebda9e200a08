import type { Stripe } from 'stripe';

/**
 * An object as it is stored and sent: an expandable field is an id. The types derive from the SDK's
 * declarations, so that a field that Stripe adds or drops does not compile.
 */
type Stored<T> = { [K in keyof T]: string extends T[K] ? Extract<T[K], string | null | undefined> : T[K] };

export type Product = Stored<Stripe.Product>;
export type Price = Stored<Stripe.Price>;
export type Customer = Stored<Stripe.Customer>;
export type Subscription = Stored<Stripe.Subscription>;
export type SubscriptionItem = Stripe.SubscriptionItem;
export type Invoice = Stored<Stripe.Invoice>;
export type InvoiceLine = Stored<Stripe.InvoiceLineItem>;
export type CheckoutSession = Stored<Stripe.Checkout.Session>;
export type PortalConfiguration = Stored<Stripe.BillingPortal.Configuration>;
export type PortalSession = Stored<Stripe.BillingPortal.Session>;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type EventType = Stripe.Event['type'];

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

/** The SDK parses this wire text into a Decimal. */
export function decimal(amount: number): Stripe.Decimal {
  return String(amount) as unknown as Stripe.Decimal;
}

type Copy<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Copy<Rest> : S;

/** Fields with one value, by their names: `all(0, 'balance amount_paid')`. */
export function all<const V, S extends string>(value: V, ...names: S[]): Record<Copy<S>, V> {
  const words = names.flatMap((line) => line.split(' '));
  return Object.fromEntries(words.map((word) => [word, value])) as Record<Copy<S>, V>;
}

/** The fields of an object that the simulator never sets. */
export function nulls<S extends string>(...names: S[]): Record<Copy<S>, null> {
  return all(null, ...names);
}

/** The version that the SDK is pinned to. */
export const API_VERSION = '2026-10-28.endive';
