import type { Stripe } from 'stripe';

/** The simulated fields of an object, with the SDK's types; an expandable field is an id. */
type Simulated<T, K extends keyof T> = {
  [N in K]: string extends T[N] ? Extract<T[N], string | null | undefined> : T[N];
};

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type Product = Simulated<
  Stripe.Product,
  'id' | 'object' | 'active' | 'created' | 'description' | 'livemode' | 'metadata' | 'name'
>;
export type Price = Simulated<
  Stripe.Price,
  | ('id' | 'object' | 'active' | 'created' | 'currency' | 'livemode' | 'lookup_key' | 'product')
  | ('type' | 'unit_amount')
> & { recurring: Pick<Stripe.Price.Recurring, 'interval' | 'interval_count'> };
export type Customer = Simulated<
  Stripe.Customer,
  'id' | 'object' | 'balance' | 'created' | 'email' | 'livemode' | 'metadata' | 'name'
>;
type SubscriptionItem = Simulated<
  Stripe.SubscriptionItem,
  'id' | 'object' | 'current_period_end' | 'current_period_start'
> & { price: Price };
export type Subscription = Simulated<
  Stripe.Subscription,
  | ('id' | 'object' | 'billing_cycle_anchor' | 'cancel_at' | 'cancel_at_period_end' | 'canceled_at')
  | ('created' | 'customer' | 'default_payment_method' | 'ended_at' | 'latest_invoice' | 'livemode')
  | ('metadata' | 'pause_collection' | 'status')
  | ('trial_end' | 'trial_settings' | 'trial_start')
> & { items: List<SubscriptionItem> };
export type Invoice = Simulated<
  Stripe.Invoice,
  | ('id' | 'object' | 'amount_due' | 'amount_paid' | 'attempt_count' | 'auto_advance')
  | ('automatically_finalizes_at' | 'billing_reason' | 'created' | 'currency' | 'customer' | 'livemode')
  | ('next_payment_attempt' | 'status' | 'total')
> & { parent: { subscription_details: { subscription: string }; type: 'subscription_details' } };
export type CheckoutSession = Simulated<
  Stripe.Checkout.Session,
  | ('id' | 'object' | 'adaptive_pricing' | 'allowed_payment_method_types' | 'amount_total')
  | ('cancel_url' | 'created' | 'customer' | 'expires_at' | 'livemode')
  | ('metadata' | 'mode' | 'status' | 'subscription' | 'success_url' | 'url')
>;
export interface PortalConfiguration extends Simulated<
  Stripe.BillingPortal.Configuration,
  'id' | 'object' | 'active' | 'default_return_url' | 'livemode' | 'metadata'
> {
  features: { subscription_update: { products: { prices: string[]; product: string }[] } };
}
export type PortalSession = Simulated<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'configuration' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
>;
export type WebhookEndpoint = Simulated<
  Stripe.WebhookEndpoint,
  'id' | 'object' | 'created' | 'enabled_events' | 'livemode' | 'status' | 'url'
>;
export type EventType = Stripe.Event['type'];

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object };
  livemode: false;
  type: EventType;
}

/** The version that the SDK is pinned to. */
export const API_VERSION = '2026-10-28.endive';
