import { Clock } from './clock.ts';
import type {
  CheckoutSession,
  Customer,
  Invoice,
  InvoiceLine,
  PaymentMethod,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  StripeEvent,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';

/** What a card does: pays; pays while its owner is there, but not at a renewal; is refused at once. */
export const CARDS = ['good', 'fails_at_renewal', 'declined'] as const;
export type Card = (typeof CARDS)[number];

/** What Stripe lets an account choose in its dashboard, and how long things take. */
export interface Settings {
  /** What becomes of a subscription once no retry has helped. */
  afterRetries: 'unpaid' | 'cancel' | 'past_due';
  /** Days after the first failed payment. */
  retryDays: number[];
  /** How long a renewal's invoice stays a draft before it is charged. */
  invoiceDelaySeconds: number;
  /** How long the hosted page waits for the endpoint's answer before it sends the person back. */
  checkoutWaitMs: number;
}

export function defaultSettings(): Settings {
  return { afterRetries: 'unpaid', retryDays: [3, 5, 7], invoiceDelaySeconds: 3600, checkoutWaitMs: 10_000 };
}

/** A Stripe account in test mode. Maps keep the order in which things were created. */
export class Account {
  readonly clock = new Clock();
  readonly settings = defaultSettings();
  readonly products = new Map<string, Product>();
  readonly prices = new Map<string, Price>();
  readonly customers = new Map<string, Customer>();
  readonly deletedCustomers = new Set<string>();
  readonly paymentMethods = new Map<string, PaymentMethod>();
  /** How each payment method behaves; the API does not tell. */
  readonly cards = new Map<string, Card>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly checkoutSessions = new Map<string, CheckoutSession>();
  /** What the session was told about its subscription; the API does not show it. */
  readonly subscriptionData = new Map<string, SubscriptionData>();
  readonly portalConfigurations = new Map<string, PortalConfiguration>();
  readonly portalSessions = new Map<string, PortalSession>();
  readonly webhookEndpoints = new Map<string, WebhookEndpoint>();
  readonly webhookSecrets = new Map<string, string>();
  /** Those that the control door registered outlive a reset: they are wiring, no data. */
  readonly wiredEndpoints = new Set<string>();
  readonly events = new Map<string, StripeEvent>();
  /** Prorations that wait for the next invoice, by subscription. */
  readonly pendingLines = new Map<string, InvoiceLine[]>();
  /** When payment of an invoice failed for the first time, and how often it was tried again by itself. */
  readonly dunning = new Map<string, { firstFailedAt: number; retries: number }>();
  readonly trialEndAnnounced = new Set<string>();
  /** The call that is being carried out: events name it. */
  request: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null };
  onEvent: (event: StripeEvent) => void = () => undefined;

  now(): number {
    return this.clock.now();
  }
}

export interface SubscriptionData {
  trial_period_days?: number | undefined;
  trial_end?: number | undefined;
  metadata: Record<string, string>;
  description: string | null;
  missingPaymentMethod: 'cancel' | 'create_invoice' | 'pause';
}

export function newestFirst<T>(map: ReadonlyMap<string, T>): T[] {
  return [...map.values()].reverse();
}
