import { Stripe } from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { API_VERSION } from '../objects.ts';
import { subscribed, useStripe } from '../stripe.fixture.ts';
import type { Sample } from './declarations.ts';
import { checkDeclarations } from './declarations.ts';
import { checkRequests } from './requests.ts';
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

test.each([
  [
    'what the SDK sends is right',
    'POST /v1/subscriptions/:id',
    { cancel_at: '', items: [{ id: 'si_1', quantity: '2' }] },
    [],
  ],
  ['an unknown parameter', 'POST /v1/customers', { emial: 'x' }, [/additional properties .*emial/]],
  [
    'an unknown parameter deep inside',
    'POST /v1/checkout/sessions',
    { subscription_data: { trial_days: '30' } },
    [/subscription_data .*trial_days/],
  ],
  [
    'a value that no enum has',
    'GET /v1/subscriptions',
    { status: 'asleep' },
    [/status must be equal to one of/],
  ],
  ['a text for a number', 'GET /v1/events', { limit: 'many' }, [/limit must be number/]],
])('a request is held against its parameters: %s', async (_title, name, params, wrong) => {
  const found = await checkRequests([{ name, params }]);
  expect(found).toEqual(wrong.map((pattern) => expect.stringMatching(pattern) as string));
});
