import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { startSimulators } from '../../scripts/outside/simulators.ts';
import { useReceiver } from './stripe.fixture.ts';

const receiver = useReceiver();
let simulators: Simulators;

beforeAll(async () => {
  simulators = await startSimulators(['stripe'], 'free');
});
afterAll(() => simulators.stop());

test('the product is led to the simulated Stripe: key, address, prices, and the secret of its webhooks', async () => {
  const { environment, stripe: door } = simulators;
  const { hostname, port } = new URL(environment['STRIPE_API_URL'] ?? '');
  const stripe = new Stripe(environment['STRIPE_SECRET_KEY'] ?? '', {
    host: hostname,
    port,
    protocol: 'http',
  });
  const price = async (name: string): Promise<unknown> =>
    stripe.prices.retrieve(environment[`STRIPE_PRICE_${name}`] ?? '');
  expect(await price('MONTHLY')).toMatchObject({ active: true, currency: 'usd', unit_amount: 2900 });
  expect(await price('YEARLY')).toMatchObject({ unit_amount: 27_800, recurring: { interval: 'year' } });

  await door.registerEndpoint(receiver.url);
  await door.registerEndpoint(receiver.url);
  await stripe.customers.create({});
  await door.settleWebhooks();
  expect(receiver.types()).toEqual(['customer.created']);
  const { body = '', signature = '' } = receiver.received[0] ?? {};
  const secret = environment['STRIPE_WEBHOOK_SECRET'] ?? '';
  expect(stripe.webhooks.constructEvent(body, signature, secret).type).toBe('customer.created');
});

test('people find its page, and a customer who is nowhere finds a plain one', async () => {
  const { url } = simulators.stripe;
  const page = await (await fetch(url)).text();
  for (const words of ['Stripe, simulated', 'A day on', 'Hold them', 'API down'])
    expect(page).toContain(words);
  for (const path of ['/c/pay/cs_test_x', '/p/session/bps_x', '/elsewhere'])
    expect((await fetch(`${url}${path}`)).status).toBe(404);
  await expect(
    simulators.stripe.post('/subscriptions', { customer: 'cus_x', price: 'price_x' }),
  ).rejects.toThrow('there is no price price_x');
  await expect(simulators.stripe.post('/webhooks/hold', { types: '(' })).rejects.toThrow(
    'no regular expression',
  );
});
