import type { Stripe } from 'stripe';
import type { List } from './wire/lists.ts';

/** The simulated fields of an object, with the SDK's types; an expandable field is an id. */
type Simulated<T, K extends keyof T> = {
  [N in K]: string extends T[N] ? Extract<T[N], string | null | undefined> : T[N];
};

export type Product = Simulated<
  Stripe.Product,
  'id' | 'object' | 'active' | 'created' | 'description' | 'livemode' | 'metadata' | 'name'
>;
export type Price = Simulated<
  Stripe.Price,
  | ('id' | 'object' | 'active' | 'created' | 'currency' | 'livemode' | 'lookup_key' | 'metadata')
  | ('product' | 'recurring' | 'type' | 'unit_amount')
>;
export type Customer = Simulated<
  Stripe.Customer,
  | ('id' | 'object' | 'balance' | 'created' | 'email' | 'invoice_prefix' | 'invoice_settings' | 'livemode')
  | ('metadata' | 'name' | 'next_invoice_sequence')
>;
export type SubscriptionItem = Simulated<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'created' | 'current_period_end' | 'current_period_start' | 'quantity' | 'subscription'
> & { price: Price };
export type Subscription = Simulated<
  Stripe.Subscription,
  | ('id' | 'object' | 'billing_cycle_anchor' | 'cancel_at' | 'cancel_at_period_end' | 'canceled_at')
  | ('cancellation_details' | 'created' | 'currency' | 'customer' | 'default_payment_method' | 'ended_at')
  | ('latest_invoice' | 'livemode' | 'metadata' | 'start_date' | 'status')
  | ('trial_end' | 'trial_settings' | 'trial_start')
> & { items: List<SubscriptionItem> };
export type Invoice = Simulated<
  Stripe.Invoice,
  | ('id' | 'object' | 'amount_due' | 'amount_paid' | 'amount_remaining' | 'attempt_count' | 'attempted')
  | ('auto_advance' | 'automatically_finalizes_at' | 'billing_reason' | 'created' | 'currency' | 'customer')
  | ('livemode' | 'next_payment_attempt' | 'number' | 'parent' | 'period_end' | 'period_start' | 'status')
  | ('status_transitions' | 'total')
>;
export type CheckoutSession = Simulated<
  Stripe.Checkout.Session,
  | ('id' | 'object' | 'amount_total' | 'cancel_url' | 'client_reference_id' | 'created' | 'currency')
  | ('customer' | 'expires_at' | 'invoice' | 'livemode' | 'metadata' | 'mode' | 'payment_status' | 'status')
  | ('subscription' | 'success_url' | 'url')
>;
export type PortalConfiguration = Simulated<
  Stripe.BillingPortal.Configuration,
  | ('id' | 'object' | 'active' | 'created' | 'default_return_url' | 'features' | 'is_default' | 'livemode')
  | ('metadata' | 'updated')
>;
export type PortalSession = Simulated<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'configuration' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
>;
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

type Words<S extends string> = S extends `${infer First} ${infer Rest}` ? First | Words<Rest> : S;

/** The fields of an object that are never set. */
export function nulls<S extends string>(names: S): Record<Words<S>, null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null])) as Record<Words<S>, null>;
}

/** The version that the SDK is pinned to. */
export const API_VERSION = '2026-10-28.endive';
