import type { Faults } from '../../kit/faults.ts';
import type { Account } from '../account.ts';
import { HOUR } from '../clock.ts';
import { newId } from '../ids.ts';
import type { StripeEvent, WebhookEndpoint } from '../objects.ts';
import type { Attempt } from './send.ts';
import { send } from './send.ts';

export interface Delivery {
  id: string;
  event: string;
  type: string;
  endpoint: string;
  url: string;
  /** waiting: sending, or before a retry. held, dropped: by the control API. failed: no retry is left. */
  state: 'waiting' | 'held' | 'dropped' | 'delivered' | 'failed';
  attempts: Attempt[];
  nextAttemptAt: number | null;
}

export type Order = 'oldest_first' | 'newest_first';

export const WEBHOOK_FAULTS = ['webhook_drop', 'webhook_twice'] as const;

/** Hours after each failed attempt; Stripe's own schedule is longer. */
const RETRY_HOURS = [1, 12, 24];

/** Sends events to endpoints, one after the other for each endpoint, so that their order is known. */
export class Deliveries {
  #deliveries: Delivery[] = [];
  /** The last queued delivery of each endpoint. */
  #tails = new Map<string, Promise<void>>();
  #sending = new Set<Promise<void>>();
  #isHolding = false;
  readonly #faults: Faults;
  readonly #account: () => Account;

  constructor(faults: Faults, account: () => Account) {
    this.#faults = faults;
    this.#account = account;
  }

  list(): Delivery[] {
    return this.#deliveries;
  }

  clear(): void {
    this.#deliveries = [];
    this.#tails.clear();
    this.#sending = new Set();
    this.#isHolding = false;
  }

  /** Sends a new event to the endpoints that subscribe to its type. */
  announce(account: Account, event: StripeEvent): void {
    for (const { endpoint } of account.webhooks.values()) {
      const wants = endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type);
      if (wants && endpoint.status === 'enabled') this.#add(event, endpoint);
    }
  }

  /** Sends an event again to every endpoint, whatever its types. */
  deliver(event: StripeEvent): void {
    for (const { endpoint } of this.#account().webhooks.values()) this.#queue(this.#record(event, endpoint));
  }

  /** Holds deliveries from now on. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Sends held deliveries in this order and ends the hold. */
  release(order: Order): Delivery[] {
    const held = this.#endHold('waiting');
    const ordered = order === 'oldest_first' ? held : held.toReversed();
    for (const delivery of ordered) this.#queue(delivery);
    return ordered;
  }

  /** Held deliveries never arrive. */
  discard(): Delivery[] {
    return this.#endHold('dropped');
  }

  /** Retries every failed delivery now. */
  retry(): void {
    for (const delivery of this.#deliveries) {
      const { state, attempts } = delivery;
      if (state === 'failed' || (state === 'waiting' && attempts.length > 0)) this.#queue(delivery);
    }
  }

  retryDue(): void {
    const now = this.#account().now();
    for (const delivery of this.#deliveries) {
      if (delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= now) this.#queue(delivery);
    }
  }

  /** Resolves when nothing is being sent, or after that time. */
  async settle(timeoutMs: number): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const idle = async (): Promise<void> => {
      while (this.#sending.size > 0) await Promise.all(this.#sending);
    };
    await Promise.race([idle(), timeout]);
    clearTimeout(timer);
  }

  #endHold(state: 'waiting' | 'dropped'): Delivery[] {
    const held = this.#deliveries.filter((delivery) => delivery.state === 'held');
    for (const delivery of held) delivery.state = state;
    this.#isHolding = false;
    return held;
  }

  #add(event: StripeEvent, endpoint: WebhookEndpoint): void {
    const occasion = { method: 'POST', path: event.type, op: 'outer' as const };
    const delivery = this.#record(event, endpoint);
    if (this.#faults.take(['webhook_drop'], occasion) !== null) delivery.state = 'dropped';
    else if (this.#isHolding) delivery.state = 'held';
    else this.#queue(delivery);
    if (this.#faults.take(['webhook_twice'], occasion) === null) return;
    const twin = this.#record(event, endpoint);
    if (delivery.state === 'held') twin.state = 'held';
    else this.#queue(twin);
  }

  #record(event: StripeEvent, endpoint: WebhookEndpoint): Delivery {
    const delivery: Delivery = {
      id: newId('whd'),
      event: event.id,
      type: event.type,
      endpoint: endpoint.id,
      url: endpoint.url,
      state: 'waiting',
      attempts: [],
      nextAttemptAt: null,
    };
    this.#deliveries.push(delivery);
    return delivery;
  }

  #queue(delivery: Delivery): void {
    delivery.state = 'waiting';
    delivery.nextAttemptAt = null;
    const account = this.#account();
    const before = this.#tails.get(delivery.endpoint) ?? Promise.resolve();
    const deliveries = this.#deliveries;
    const pending = this.#sending;
    const sending = before
      // A reset drops what is queued.
      .then(() => (deliveries === this.#deliveries ? this.#attempt(account, delivery) : undefined))
      .finally(() => pending.delete(sending));
    pending.add(sending);
    this.#tails.set(delivery.endpoint, sending);
  }

  async #attempt(account: Account, delivery: Delivery): Promise<void> {
    const event = account.events.get(delivery.event);
    if (event === undefined || delivery.state !== 'waiting') return;
    const secret = account.webhooks.get(delivery.endpoint)?.secret ?? '';
    const attempt = await send({ event, url: delivery.url, secret, now: account.now() });
    delivery.attempts.push(attempt);
    const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const hours = RETRY_HOURS[delivery.attempts.length - 1];
    delivery.state = isTaken ? 'delivered' : hours === undefined ? 'failed' : 'waiting';
    delivery.nextAttemptAt = isTaken || hours === undefined ? null : attempt.at + hours * HOUR;
  }
}
