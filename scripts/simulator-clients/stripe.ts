import type { Card } from '../../simulators/stripe/account.ts';
import type { ApiCall } from '../../simulators/stripe/api.ts';
import type { StripeEvent, Subscription } from '../../simulators/stripe/objects.ts';
import type { Delivery, Order } from '../../simulators/stripe/webhooks.ts';
import { ControlClient } from './control-client.ts';

/** Settings of the simulated Stripe; the secret signs webhooks to the endpoints registered with it. */
export const SIMULATED_STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_simulated',
  STRIPE_PRICE_MONTHLY: 'price_smartpause_monthly',
  STRIPE_PRICE_YEARLY: 'price_smartpause_yearly',
  STRIPE_PORTAL_CONFIGURATION: 'bpc_smartpause',
  STRIPE_WEBHOOK_SECRET: 'whsec_simulated',
};

export const DAY_MS = 86_400_000;

/** A fault for pending webhooks. Types are regular expressions, by default all. */
interface WebhookFault {
  types?: string;
  /** 0: until it is removed. */
  times?: number;
}

/** The page after a redirect: its address, or its content. */
export interface PageAnswer {
  status: number;
  location: string | null;
  text: string;
}

export interface PlantedSubscription {
  customer: string;
  price: string;
  /** Null: no card. */
  card?: Exclude<Card, 'declined'> | null;
  trialDays?: number;
  missingPaymentMethod?: 'cancel' | 'create_invoice';
}

/** The simulated Stripe, for tests and scripts: its clock, its webhooks, and its pages without a browser. */
export class StripeControlClient extends ControlClient {
  /** A call of Stripe's API, as its dashboard makes it. */
  async api<T = unknown>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: Record<string, string>,
  ): Promise<T> {
    const answer = await this.fetch(`${this.url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${SIMULATED_STRIPE.STRIPE_SECRET_KEY}` },
      ...(body && { body: new URLSearchParams(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Moves the clock and waits for the webhooks of everything that becomes due. */
  advance(ms: number): Promise<unknown> {
    return this.post('/advance', { ms });
  }

  setClock(offsetMs: number): Promise<unknown> {
    return this.post('/clock', { offsetMs });
  }

  /** @param options.empty an account without products, prices and endpoints */
  reset(options: { empty?: boolean } = {}): Promise<unknown> {
    return this.post('/reset', options);
  }

  /** Registers a webhook endpoint with the secret that the product knows. It survives a reset. */
  registerEndpoint(url: string): Promise<unknown> {
    return this.post('/webhooks/endpoints', { url, secret: SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET });
  }

  async deliveries(): Promise<Delivery[]> {
    return (await this.ask<{ deliveries: Delivery[] }>('GET', '/webhooks')).deliveries;
  }

  async events(): Promise<StripeEvent[]> {
    return (await this.ask<{ events: StripeEvent[] }>('GET', '/events')).events;
  }

  async calls(): Promise<ApiCall[]> {
    return (await this.ask<{ calls: ApiCall[] }>('GET', '/calls')).calls;
  }

  /** From now on webhooks wait until they are released or discarded. */
  holdWebhooks(): Promise<unknown> {
    return this.post('/webhooks/hold');
  }

  /** Resolves once the product has answered them. */
  releaseWebhooks(order: Order = 'oldest_first'): Promise<unknown> {
    return this.post('/webhooks/release', { order });
  }

  /** Drops the waiting webhooks. */
  discardWebhooks(): Promise<unknown> {
    return this.post('/webhooks/discard');
  }

  /** Resends the webhooks that the product refused. */
  retryWebhooks(): Promise<unknown> {
    return this.post('/webhooks/retry');
  }

  /** Resolves when no webhook is in flight. */
  settleWebhooks(): Promise<unknown> {
    return this.post('/webhooks/settle');
  }

  /** Delivers an event again, even an old one. */
  deliverAgain(event: string): Promise<unknown> {
    return this.post(`/events/${event}/deliver`);
  }

  dropWebhooks(fault: WebhookFault = {}): Promise<number> {
    return this.#webhookFault('webhook_drop', fault);
  }

  doubleWebhooks(fault: WebhookFault = {}): Promise<number> {
    return this.#webhookFault('webhook_twice', fault);
  }

  /** A subscription as Checkout creates it. */
  plantSubscription(body: PlantedSubscription): Promise<Subscription> {
    return this.post('/subscriptions', body);
  }

  /** Sets a status that no page can set, even one that Stripe does not have yet. */
  setStatus(subscription: string, status: string): Promise<unknown> {
    return this.post(`/subscriptions/${subscription}`, { status });
  }

  /** Pays on the hosted page, like a browser. @returns the page that it leads to */
  pay(checkoutUrl: string, card: Card = 'good'): Promise<PageAnswer> {
    return submitPage(checkoutUrl, { card });
  }

  /** Confirms the payment on the page of an invoice. */
  confirm(invoiceUrl: string): Promise<PageAnswer> {
    return submitPage(invoiceUrl, {});
  }

  portal(portalUrl: string): PortalVisitor {
    return new PortalVisitor(portalUrl);
  }

  #webhookFault(kind: string, { types = '.', times = 1 }: WebhookFault): Promise<number> {
    return this.fault({ kind, path: types, times });
  }
}

/** A customer on the portal's page. Without an id, the first subscription is used. */
class PortalVisitor {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async page(): Promise<PageAnswer> {
    return pageAnswer(await fetch(this.url, { redirect: 'manual' }));
  }

  cancel(subscription?: string): Promise<PageAnswer> {
    return this.#act('cancel', subscription);
  }

  renew(subscription?: string): Promise<PageAnswer> {
    return this.#act('renew', subscription);
  }

  switchTo(price: string, subscription?: string): Promise<PageAnswer> {
    return this.#act('switch', subscription, { price });
  }

  changeCard(card: Card): Promise<PageAnswer> {
    return submitPage(this.url, { action: 'card', card });
  }

  async #act(action: string, subscription?: string, more: Record<string, string> = {}): Promise<PageAnswer> {
    const shown =
      subscription ?? /name="subscription" value="([^"]+)"/.exec((await this.page()).text)?.[1] ?? '';
    return submitPage(this.url, { action, subscription: shown, ...more });
  }
}

async function submitPage(url: string, fields: Record<string, string>): Promise<PageAnswer> {
  return pageAnswer(
    await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
  );
}

async function pageAnswer(answer: Response): Promise<PageAnswer> {
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}
