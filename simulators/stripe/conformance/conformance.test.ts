import { Stripe } from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { API_VERSION } from '../objects.ts';
import { subscribed, useStripe } from '../stripe.fixture.ts';
import type { Sample } from './declarations.ts';
import { checkDeclarations } from './declarations.ts';
import { sampleOf } from './samples.ts';

const sim = useStripe();

test('the simulator speaks the version that the SDK is pinned to', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});

type Json = Record<string, unknown>;
let samples: Sample[];

beforeAll(async () => {
  await subscribed(sim, { trialDays: 30 });
  const events = (await sim.door.events()).filter(
    ({ type }) => type.startsWith('customer.') || type === 'invoice.paid',
  );
  samples = events.flatMap((event) => [sampleOf(event), sampleOf(event.data.object)]);
});

function mutate(sample: Sample, change: (body: Json) => void): Sample {
  const body = structuredClone(sample.body) as Json;
  change(body);
  return { ...sample, body };
}

const MUTATIONS: [title: string, mutation: (name: string) => (body: Json) => void][] = [
  [
    'a field that Stripe does not have',
    (name) => (body) => {
      body[`${name}_x`] = body[name];
      Reflect.deleteProperty(body, name);
    },
  ],
  ['another type', (name) => (body) => (body[name] = [true])],
];

test.each(MUTATIONS)('a mutant is found: %s', async (_title, mutation) => {
  const mutants = samples.flatMap((sample) =>
    Object.keys(sample.body as Json).map((name) => mutate(sample, mutation(name))),
  );
  expect(mutants.length).toBeGreaterThan(100);
  const wrong = await checkDeclarations(mutants);
  const found = new Set(wrong.map((line) => /^samples\.ts\((\d+),/.exec(line)?.[1]));
  found.delete(undefined);
  expect(found.size).toBe(mutants.length);
});

test('an enum is closed, and a decimal is a text', async () => {
  const subscription = samples.find(({ type }) => type === 'Stripe.Subscription');
  const price = (await sim.stripe.prices.list()).data[0];
  const onWire = JSON.parse(JSON.stringify(price)) as Json;
  if (subscription === undefined) throw new Error('no subscription was recorded');
  const mutants = [
    mutate(subscription, (body) => (body['status'] = 'sleeping')),
    mutate(subscription, (body) => (body['collection_method'] = 'by_hand')),
    { type: 'Stripe.Price', body: { ...onWire, unit_amount_decimal: 2900 } },
    { type: 'Stripe.Price', body: { ...onWire, unit_amount_decimal: '2900' } },
  ];
  const wrong = await checkDeclarations(mutants);
  expect(wrong.filter((line) => line.startsWith('samples.ts'))).toHaveLength(3);
});
