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
  /** waiting: on its way or to be tried again. held, dropped: by the control door. failed: given up. */
  state: 'waiting' | 'held' | 'dropped' | 'delivered' | 'failed';
  attempts: Attempt[];
  nextAttemptAt: number | null;
}

export type Order = 'oldest_first' | 'newest_first';

export const WEBHOOK_FAULTS = [
  'webhook_drop',
  'webhook_twice',
  'webhook_wrong_signature',
  'webhook_old_timestamp',
] as const;

/** Hours after an attempt that failed; in sum three days, as in live mode. */
const RETRY_HOURS = [0.1, 0.5, 2, 5, 10, 12, 12, 12, 12];

/** Sends events to endpoints, one after the other for each endpoint, so that their order is known. */
export class Deliveries {
  #deliveries: Delivery[] = [];
  #byEvent = new Map<string, Delivery[]>();
  #tails = new Map<string, Promise<void>>();
  #holds: RegExp | null = null;
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
    this.#byEvent.clear();
    this.#tails.clear();
    this.#holds = null;
  }

  /** Something has happened: whoever wants to know of it is told. */
  announce(account: Account, event: StripeEvent): void {
    for (const endpoint of account.webhookEndpoints.values()) {
      const wants = endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(event.type);
      if (wants && endpoint.status === 'enabled') this.#add(event, endpoint);
    }
  }

  /** Once more, to every endpoint, whether it asked for the type or not. */
  deliver(event: StripeEvent): void {
    for (const endpoint of this.#account().webhookEndpoints.values()) {
      const delivery = this.#record(event, endpoint);
      this.#queue(delivery);
    }
  }

  /** From now on deliveries of these types wait. */
  hold(types: RegExp): void {
    this.#holds = types;
  }

  /** What was held goes out in this order, and nothing is held any more. */
  release(order: Order): Delivery[] {
    const held = this.#leaveHeld('waiting');
    const ordered = order === 'oldest_first' ? held : held.toReversed();
    for (const delivery of ordered) this.#queue(delivery);
    return ordered;
  }

  /** What was held never arrives. */
  discard(): Delivery[] {
    return this.#leaveHeld('dropped');
  }

  /** Tries what has failed again at once. */
  retry(): Delivery[] {
    const failed = this.#deliveries.filter(
      ({ state, attempts }) => state === 'failed' || (state === 'waiting' && attempts.length > 0),
    );
    for (const delivery of failed) this.#queue(delivery);
    return failed;
  }

  retryDue(): void {
    const now = this.#account().now();
    for (const delivery of this.#deliveries) {
      if (delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= now) this.#queue(delivery);
    }
  }

  /** Resolves when nothing is on its way, or after that long. */
  async settle(patienceMs: number): Promise<void> {
    const { promise: patience, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    const idle = async (): Promise<void> => {
      for (let awaited: Promise<void>[] = []; ;) {
        const tails = [...this.#tails.values()];
        if (tails.every((tail) => awaited.includes(tail))) return;
        awaited = tails;
        await Promise.all(tails);
      }
    };
    await Promise.race([idle(), patience]);
    clearTimeout(timer);
  }

  #leaveHeld(state: 'waiting' | 'dropped'): Delivery[] {
    const held = this.#deliveries.filter((delivery) => delivery.state === 'held');
    for (const delivery of held) delivery.state = state;
    this.#holds = null;
    return held;
  }

  #add(event: StripeEvent, endpoint: WebhookEndpoint): void {
    const delivery = this.#record(event, endpoint);
    const occasion = { method: 'POST', path: event.type, op: 'outer' as const };
    if (this.#faults.take(['webhook_drop'], occasion) !== null) delivery.state = 'dropped';
    else if (this.#holds?.test(event.type) === true) delivery.state = 'held';
    else this.#queue(delivery);
    if (this.#faults.take(['webhook_twice'], occasion) === null) return;
    const twin = this.#record(event, endpoint);
    if (delivery.state === 'held') twin.state = 'held';
    else this.#queue(twin);
  }

  #record(event: StripeEvent, endpoint: WebhookEndpoint): Delivery {
    const delivery: Delivery = {
      id: newId('req').replace('req', 'whd'),
      event: event.id,
      type: event.type,
      endpoint: endpoint.id,
      url: endpoint.url,
      state: 'waiting',
      attempts: [],
      nextAttemptAt: null,
    };
    this.#deliveries.push(delivery);
    this.#byEvent.set(event.id, [...(this.#byEvent.get(event.id) ?? []), delivery]);
    this.#count(event);
    return delivery;
  }

  #queue(delivery: Delivery): void {
    delivery.state = 'waiting';
    delivery.nextAttemptAt = null;
    const account = this.#account();
    const before = this.#tails.get(delivery.endpoint) ?? Promise.resolve();
    const tail = before.then(() => this.#attempt(account, delivery));
    this.#tails.set(delivery.endpoint, tail);
  }

  async #attempt(account: Account, delivery: Delivery): Promise<void> {
    const event = account.events.get(delivery.event);
    const isForgotten =
      this.#byEvent.get(delivery.event)?.includes(delivery) !== true || delivery.state !== 'waiting';
    if (event === undefined || isForgotten) return;
    const secret = account.webhookSecrets.get(delivery.endpoint) ?? '';
    const attempt = await send({
      event,
      url: delivery.url,
      secret,
      now: account.now(),
      faults: this.#faults,
    });
    delivery.attempts.push(attempt);
    const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const hours = RETRY_HOURS[delivery.attempts.length - 1];
    delivery.state = isTaken ? 'delivered' : hours === undefined ? 'failed' : 'waiting';
    delivery.nextAttemptAt = isTaken || hours === undefined ? null : attempt.at + hours * HOUR;
    this.#count(event);
  }

  /** How many endpoints have not taken the event yet. */
  #count(event: StripeEvent): void {
    const all = this.#byEvent.get(event.id) ?? [];
    const taken = new Set(all.filter(({ state }) => state === 'delivered').map(({ endpoint }) => endpoint));
    event.pending_webhooks = new Set(
      all.map(({ endpoint }) => endpoint).filter((one) => !taken.has(one)),
    ).size;
  }
}
