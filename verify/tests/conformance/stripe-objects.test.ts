import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { API_VERSION } from '../../../simulators/stripe/objects.ts';
import { useStripe } from '../../../simulators/stripe/stripe.fixture.ts';
import type { Sample } from './conversation.ts';
import { checkDeclarations, sampleOf } from './conversation.ts';

const sim = useStripe();

test('the simulator has the version that the SDK is pinned to', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});

type Json = Record<string, unknown>;

/** The lines of the samples in which the compiler finds an error. */
async function wrongOnes(samples: Sample[]): Promise<Set<string | undefined>> {
  const errors = await checkDeclarations(samples);
  return new Set(errors.flatMap((line) => /samples\.ts\((\d+),/.exec(line)?.[1] ?? []));
}

test('an unknown field and another type are detected in every response', async () => {
  await sim.subscribed({ trialDays: 30 });
  const samples = (await sim.control.events()).flatMap((event) => [
    sampleOf(event),
    sampleOf(event.data.object),
  ]);
  const mutants = samples.flatMap(({ type, body }) =>
    Object.entries(body as Json).flatMap(([name, value]) =>
      [{ [`${name}_x`]: value, [name]: undefined }, { [name]: [true] }].map((mutation) => ({
        type,
        body: { ...(body as Json), ...mutation },
      })),
    ),
  );
  expect(mutants.length).toBeGreaterThan(200);
  expect((await wrongOnes(mutants)).size).toBe(mutants.length);
});

test('an unknown parameter is detected, also inside another one', async () => {
  const recurring = { interval: 'month' };
  const type = 'Stripe.PriceCreateParams';
  const mutants = [
    { type, body: { currency: 'usd', recurring } },
    { type, body: { currency: 'usd', recurring, amount: 1 } },
    { type, body: { currency: 'usd', recurring: { ...recurring, intervals: 2 } } },
  ];
  expect((await wrongOnes(mutants)).size).toBe(2);
});

test('an enum is closed, and a decimal is a text', async () => {
  const [, subscription] = await sim.subscribed();
  const [price] = (await sim.stripe.prices.list()).data;
  const mutants = [
    { type: 'Stripe.Subscription', body: { ...subscription, status: 'sleeping' } },
    { type: 'Stripe.Subscription', body: { ...subscription, collection_method: 'manual' } },
    { type: 'Stripe.Price', body: { ...price, unit_amount_decimal: 2900 } },
    { type: 'Stripe.Price', body: { ...price, unit_amount_decimal: '2900' } },
  ];
  expect((await wrongOnes(mutants)).size).toBe(3);
});
