import { Clock } from './clock.ts';
import type {
  CheckoutSession,
  Customer,
  Invoice,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  StripeEvent,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';

/** How a card behaves: it pays; it pays on a page but not at a renewal; it is declined at once. */
export const CARDS = ['good', 'fails_at_renewal', 'declined'] as const;
export type Card = (typeof CARDS)[number];
export const LAST4: Record<Card, string> = { good: '4242', fails_at_renewal: '0341', declined: '0002' };

/** Settings of an account in Stripe's dashboard. */
export interface Settings {
  /** The status of a subscription after the last retry. */
  afterRetries: 'unpaid' | 'cancel';
}

/** What a checkout session sells; the API does not show all of it. */
export interface Purchase {
  price: string;
  trialDays: number | undefined;
  metadata: Record<string, string>;
  missingPaymentMethod: 'cancel' | 'create_invoice';
}

interface RegisteredEndpoint {
  endpoint: WebhookEndpoint;
  secret: string;
  /** Registered by the control API: it outlives a reset. */
  isFromControl: boolean;
}

/** A Stripe account in test mode. Maps keep the order of creation. */
export class Account {
  readonly clock = new Clock();
  readonly settings: Settings = { afterRetries: 'unpaid' };
  readonly products = new Map<string, Product>();
  readonly prices = new Map<string, Price>();
  readonly customers = new Map<string, Customer>();
  readonly deletedCustomers = new Set<string>();
  /** By payment method; the API of payment methods is not simulated. */
  readonly cards = new Map<string, Card>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly checkoutSessions = new Map<string, CheckoutSession>();
  readonly purchases = new Map<string, Purchase>();
  readonly portalConfigurations = new Map<string, PortalConfiguration>();
  readonly portalSessions = new Map<string, PortalSession>();
  readonly webhooks = new Map<string, RegisteredEndpoint>();
  readonly events = new Map<string, StripeEvent>();
  /** When payment of an invoice failed first, and the number of automatic retries since. */
  readonly dunning = new Map<string, { firstFailedAt: number; retries: number }>();
  /** The API call that is running; events name it. */
  request: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null };
  onEvent: (event: StripeEvent) => void = () => undefined;

  now(): number {
    return this.clock.now();
  }
}
