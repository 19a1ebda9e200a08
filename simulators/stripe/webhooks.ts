import { createHmac } from 'node:crypto';
import type { Faults } from '../kit/faults.ts';
import type { Account } from './account.ts';
import { HOUR } from './account.ts';
import type { StripeEvent } from './objects.ts';

export interface Delivery {
  event: string;
  type: string;
  endpoint: string;
  /** waiting: sending, or before a retry. held, dropped: by the control API. failed: no retry is left. */
  state: 'waiting' | 'held' | 'dropped' | 'delivered' | 'failed';
  /** The endpoint's status at each attempt; null: no response. */
  attempts: { status: number | null }[];
  nextAttemptAt: number | null;
}

export type Order = 'oldest_first' | 'newest_first';

export const WEBHOOK_FAULTS = ['webhook_drop', 'webhook_twice'] as const;

const TRIES = 3;
const TIMEOUT_MS = 20_000;
const SETTLED_WITHIN_MS = 10_000;

/** Sends events to endpoints, one after the other for each endpoint, so that their order is known. */
export class Deliveries {
  readonly #faults: Faults;
  readonly #account: Account;
  #deliveries: Delivery[] = [];
  /** The last queued delivery of each endpoint. */
  #tails = new Map<string, Promise<void>>();
  #isHolding = false;
  #isClosed = false;

  constructor(faults: Faults, account: Account) {
    this.#faults = faults;
    this.#account = account;
    account.onEvent((event) => this.#announce(event));
  }

  list(): Delivery[] {
    return this.#deliveries;
  }

  /** Drops what is queued. */
  close(): void {
    this.#isClosed = true;
  }

  /** Sends an event again to every endpoint, whatever its types. */
  deliver(event: StripeEvent): void {
    for (const endpoint of this.#account.endpoints.keys()) this.#queue(this.#record(event, endpoint));
  }

  /** Holds deliveries from now on. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Sends held deliveries in this order and ends the hold. */
  release(order: Order): void {
    const held = this.#endHold();
    for (const delivery of order === 'oldest_first' ? held : held.toReversed()) this.#queue(delivery);
  }

  /** Held deliveries never arrive. */
  discard(): void {
    for (const delivery of this.#endHold()) delivery.state = 'dropped';
  }

  /** Retries every failed delivery now. */
  retry(): void {
    for (const delivery of this.#deliveries)
      if (delivery.state === 'failed' || delivery.nextAttemptAt !== null) this.#queue(delivery);
  }

  retryDue(): void {
    for (const delivery of this.#deliveries)
      if ((delivery.nextAttemptAt ?? Infinity) <= this.#account.now()) this.#queue(delivery);
  }

  /** Resolves when nothing is being sent, at the latest after ten seconds. */
  async settle(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), SETTLED_WITHIN_MS);
    await Promise.race([this.#idle(), late]);
    clearTimeout(timer);
  }

  async #idle(): Promise<void> {
    const tails = [...this.#tails.values()];
    await Promise.all(tails);
    if ([...this.#tails.values()].some((tail) => !tails.includes(tail))) await this.#idle();
  }

  #endHold(): Delivery[] {
    this.#isHolding = false;
    return this.#deliveries.filter(({ state }) => state === 'held');
  }

  /** Sends a new event to the endpoints that subscribe to its type. */
  #announce(event: StripeEvent): void {
    const occasion = { method: 'POST', path: event.type, op: 'outer' as const };
    for (const { id, status, enabled_events: wanted } of this.#account.endpoints.values()) {
      if (status !== 'enabled' || !wanted.some((type) => type === '*' || type === event.type)) continue;
      const isDropped = this.#faults.take(['webhook_drop'], occasion) !== null;
      const isTwice = this.#faults.take(['webhook_twice'], occasion) !== null;
      for (const delivery of [this.#record(event, id), ...(isTwice ? [this.#record(event, id)] : [])]) {
        if (isDropped) delivery.state = 'dropped';
        else if (this.#isHolding) delivery.state = 'held';
        else this.#queue(delivery);
      }
    }
  }

  #record({ id, type }: StripeEvent, endpoint: string): Delivery {
    const nothing = { attempts: [], nextAttemptAt: null };
    const delivery: Delivery = { event: id, type, endpoint, state: 'waiting', ...nothing };
    this.#deliveries.push(delivery);
    return delivery;
  }

  #queue(delivery: Delivery): void {
    delivery.state = 'waiting';
    delivery.nextAttemptAt = null;
    const before = this.#tails.get(delivery.endpoint) ?? Promise.resolve();
    this.#tails.set(
      delivery.endpoint,
      before.then(() => this.#attempt(delivery)),
    );
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const event = this.#account.events.get(delivery.event);
    const endpoint = this.#account.endpoints.get(delivery.endpoint);
    if (event === undefined || endpoint === undefined || this.#isClosed) return;
    const now = this.#account.now();
    const status = await send(event, endpoint, now);
    delivery.attempts.push({ status });
    const isTaken = status !== null && status >= 200 && status < 300;
    const isLast = delivery.attempts.length >= TRIES;
    delivery.state = isTaken ? 'delivered' : isLast ? 'failed' : 'waiting';
    delivery.nextAttemptAt = isTaken || isLast ? null : now + HOUR;
  }
}

/** Each attempt is signed with its own time. Null: no response. */
async function send(
  event: StripeEvent,
  { url, secret }: { url: string; secret: string },
  now: number,
): Promise<number | null> {
  const payload = JSON.stringify(event, null, 2);
  const signature = createHmac('sha256', secret).update(`${now}.${payload}`).digest('hex');
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${now},v1=${signature}`,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}
