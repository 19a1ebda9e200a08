import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { SIMULATED_STRIPE, StripeDoor } from '../../scripts/outside/stripe.ts';
import { Conversation } from './conformance/conversation.ts';
import type { SimServer } from '../kit/http.ts';
import type { Subscription } from './objects.ts';
import { PRICE_MONTHLY } from './seed.ts';
import { startStripe } from './server.ts';

export const SECRET = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;
export const DAY = 86_400;

/** The SDK as it is, led to the simulator. */
export function clientFor(
  url: string,
  key = SIMULATED_STRIPE.STRIPE_SECRET_KEY,
  maxNetworkRetries = 0,
): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries });
}

/**
 * The simulated Stripe for the tests of one file, with its seed before each. Everything that it answers and announces
 * meanwhile is held against the SDK's declarations in the end.
 */
export function useStripe() {
  let server: SimServer;
  const conversation = new Conversation();
  beforeAll(async () => {
    server = await startStripe();
  });
  beforeEach(async () => {
    const door = new StripeDoor(server.url);
    // An empty account has no endpoints left either.
    await door.reset({ empty: true });
    await door.reset();
  });
  afterEach(() => conversation.record(new StripeDoor(server.url)));
  afterAll(async () => {
    await server.close();
    expect(await conversation.check()).toEqual([]);
  });
  return {
    get url() {
      return server.url;
    },
    get door() {
      return new StripeDoor(server.url);
    },
    get stripe() {
      return clientFor(server.url);
    },
  };
}

export type StripeUnderTest = ReturnType<typeof useStripe>;

export interface Received {
  body: string;
  signature: string;
  event: Stripe.Event;
}

/** Somebody who receives webhooks and answers what they are told to. */
export function useReceiver() {
  const received: Received[] = [];
  const answers: (number | Promise<number>)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const signature = String(request.headers['stripe-signature']);
      received.push({ body, signature, event: JSON.parse(body) as Stripe.Event });
      void Promise.resolve(answers.shift() ?? 200).then((status) => response.writeHead(status).end());
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  beforeEach(() => {
    received.length = 0;
    answers.length = 0;
  });
  afterAll(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    received,
    answers,
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
    },
    types: () => received.map(({ event }) => event.type),
  };
}

/** A customer with a subscription, as after Checkout. */
export async function subscribed(
  { stripe, door }: Pick<StripeUnderTest, 'stripe' | 'door'>,
  wish: {
    price?: string;
    card?: 'good' | 'fails_at_renewal' | null;
    trialDays?: number;
    missingPaymentMethod?: 'cancel' | 'create_invoice' | 'pause';
  } = {},
): Promise<{ customer: Stripe.Customer; subscription: Subscription }> {
  const customer = await stripe.customers.create({ email: 'ann@example.test' });
  const subscription = await door.plantSubscription({ customer: customer.id, price: PRICE_MONTHLY, ...wish });
  return { customer, subscription };
}
