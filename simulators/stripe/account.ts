import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type {
  CheckoutSession,
  Customer,
  EventType,
  Invoice,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  StripeEvent,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';
import { API_VERSION } from './objects.ts';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** How a card behaves: it pays; it pays on a page but not at a renewal, or asks for a confirmation then; it is declined. */
export const CARDS = ['good', 'fails_at_renewal', 'needs_confirmation', 'declined'] as const;
export type Card = (typeof CARDS)[number];

/** What a checkout session sells; the API does not show all of it. */
export interface Purchase {
  price: Price;
  trialDays: number | undefined;
  metadata: Record<string, string>;
  missingPaymentMethod: 'cancel' | 'create_invoice';
}

/** A Stripe account in test mode. Maps keep the order of creation. */
export class Account {
  /** How far the clock is ahead of the computer's. */
  offsetMs = 0;
  takesCards = true;
  products = new Map<string, Product>();
  prices = new Map<string, Price>();
  customers = new Map<string, Customer>();
  deletedCustomers = new Set<string>();
  /** By payment method; the API of payment methods is not simulated. */
  cards = new Map<string, Card>();
  subscriptions = new Map<string, Subscription>();
  invoices = new Map<string, Invoice>();
  checkoutSessions = new Map<string, CheckoutSession>();
  purchases = new Map<string, Purchase>();
  portalConfigurations = new Map<string, PortalConfiguration>();
  portalSessions = new Map<string, PortalSession>();
  endpoints = new Map<string, WebhookEndpoint & { secret: string }>();
  events = new Map<string, StripeEvent>();
  #stoppedAt: number | null = null;
  #onEvent: (event: StripeEvent) => void = () => undefined;

  /** In seconds, as Stripe counts. */
  now(): number {
    return this.#stoppedAt ?? Math.floor((Date.now() + this.offsetMs) / 1000);
  }

  /** Runs due work at its due time, also when the clock has been moved far beyond it. */
  at(seconds: number, run: () => void): void {
    this.#stoppedAt = seconds;
    try {
      run();
    } finally {
      this.#stoppedAt = null;
    }
  }

  onEvent(listener: (event: StripeEvent) => void): void {
    this.#onEvent = listener;
  }

  emit(type: EventType, object: object): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now(),
      data: { object: JSON.parse(JSON.stringify(object)) as object },
      livemode: false,
      type,
    };
    this.events.set(event.id, event);
    this.#onEvent(event);
  }

  /** Changes an object and emits an event. Without a change there is no event. */
  change<T extends object>(type: EventType, object: T, fields: Partial<T>): void {
    const before = JSON.stringify(object);
    Object.assign(object, fields);
    if (JSON.stringify(object) !== before) this.emit(type, object);
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** As long as Stripe's ids, to detect database columns that are too short. */
export function newId(prefix: string): string {
  const length = prefix === 'cs_test' ? 58 : 24;
  return `${prefix}_${Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

/** Changes with the shape of an account. */
const VERSION = `${API_VERSION}/7`;

/** Writes the account to a file, for the next run. */
export function keepAccount(account: Account, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // An interrupted write keeps the previous file.
  writeFileSync(`${file}.new`, serialize({ version: VERSION, account }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Null: no readable file. */
export function restoreAccount(file: string): Account | null {
  try {
    const kept = deserialize(readFileSync(file)) as { version: string; account: Partial<Account> };
    return kept.version === VERSION ? Object.assign(new Account(), kept.account) : null;
  } catch {
    return null;
  }
}
