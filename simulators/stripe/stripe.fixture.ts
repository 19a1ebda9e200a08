import { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { PlantedSubscription } from '../../scripts/outside/stripe.ts';
import { SIMULATED_STRIPE, StripeControlClient } from '../../scripts/outside/stripe.ts';
import type { SimServer } from '../kit/http.ts';
import { listen } from '../kit/http.ts';
import type { Subscription } from './objects.ts';
import { PORTAL_CONFIGURATION, PRICE_MONTHLY } from './seed.ts';
import { startStripe } from './server.ts';

/** The unchanged SDK with the simulator as its host. */
export function clientFor(url: string, maxNetworkRetries = 0): Stripe {
  const { hostname: host, port } = new URL(url);
  const options = { host, port, protocol: 'http', telemetry: false, maxNetworkRetries } as const;
  return new Stripe(SIMULATED_STRIPE.STRIPE_SECRET_KEY, options);
}

/** A simulator for one file, reset before each test. */
export function useStripe() {
  let server: SimServer;
  beforeAll(async () => {
    server = await startStripe();
  });
  beforeEach(async () => {
    const control = new StripeControlClient(server.url);
    // An empty account has no endpoints left.
    await control.reset({ empty: true });
    await control.reset();
  });
  afterAll(() => server.close());
  return {
    get url() {
      return server.url;
    },
    get control() {
      return new StripeControlClient(server.url);
    },
    get stripe() {
      return clientFor(server.url);
    },
    /** A customer with a subscription, as after Checkout. */
    async subscribed(wish: Partial<PlantedSubscription> = {}): Promise<[string, Subscription]> {
      const { id } = await clientFor(server.url).customers.create({ email: 'ann@example.test' });
      const order = { customer: id, price: PRICE_MONTHLY, ...wish };
      return [id, await new StripeControlClient(server.url).plantSubscription(order)];
    },
    async openPortal(customer: string) {
      const { url } = await clientFor(server.url).billingPortal.sessions.create({
        customer,
        configuration: PORTAL_CONFIGURATION,
        return_url: 'http://localhost:3000/settings',
      });
      return new StripeControlClient(server.url).portal(url);
    },
  };
}

/** A webhook endpoint with configurable responses. */
export function useReceiver() {
  const received: { body: string; signature: string; event: Stripe.Event }[] = [];
  const answers: number[] = [];
  let server: SimServer;
  beforeAll(async () => {
    server = await listen({ port: 0, host: '127.0.0.1' }, ({ body, headers }) => {
      const signature = headers['stripe-signature'] ?? '';
      received.push({ body, signature, event: JSON.parse(body) as Stripe.Event });
      return Promise.resolve({ status: answers.shift() ?? 200, body: '' });
    });
  });
  beforeEach(() => {
    received.length = 0;
    answers.length = 0;
  });
  afterAll(() => server.close());
  return {
    received,
    answers,
    get url() {
      return `${server.url}/webhooks`;
    },
    types: () => received.map(({ event }) => event.type),
  };
}
