import type { Stripe } from 'stripe';

/**
 * An object as it is kept and sent: what could be expanded is an id. Written against the SDK's own declarations, so
 * that a field that Stripe adds or drops does not compile.
 */
type Kept<T> = { [K in keyof T]: string extends T[K] ? Extract<T[K], string | null | undefined> : T[K] };

export type Product = Kept<Stripe.Product>;
export type Price = Kept<Stripe.Price>;
export type Customer = Kept<Stripe.Customer>;
export type PaymentMethod = Kept<Stripe.PaymentMethod>;
export type Subscription = Kept<Stripe.Subscription>;
export type SubscriptionItem = Stripe.SubscriptionItem;
export type Invoice = Kept<Stripe.Invoice>;
export type InvoiceLine = Kept<Stripe.InvoiceLineItem>;
export type CheckoutSession = Kept<Stripe.Checkout.Session>;
export type PortalConfiguration = Kept<Stripe.BillingPortal.Configuration>;
export type PortalSession = Kept<Stripe.BillingPortal.Session>;
export type WebhookEndpoint = Stripe.WebhookEndpoint;
export type EventType = Stripe.Event['type'];
export type Recurring = Stripe.Price.Recurring;

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

/** The SDK makes Decimal of what is a text on the wire. */
export function decimal(amount: number): Stripe.Decimal {
  return String(amount) as unknown as Stripe.Decimal;
}

/** The version that the SDK is pinned to, and in which everything here is written. */
export const API_VERSION = '2026-10-28.endive';
