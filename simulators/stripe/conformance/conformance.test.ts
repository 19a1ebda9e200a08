import { Stripe } from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { API_VERSION } from '../objects.ts';
import { useStripe } from '../stripe.fixture.ts';
import type { Sample } from './conversation.ts';
import { checkDeclarations, sampleOf } from './conversation.ts';

const sim = useStripe();

test('the simulator has the version that the SDK is pinned to', () => {
  expect(API_VERSION).toBe(Stripe.API_VERSION);
});

type Json = Record<string, unknown>;
let samples: Sample[];

beforeAll(async () => {
  await sim.subscribed({ trialDays: 30 });
  samples = (await sim.door.events()).flatMap((event) => [sampleOf(event), sampleOf(event.data.object)]);
});

/** The numbers of the samples in which the compiler finds an error. */
async function wrongOnes(mutants: Sample[]): Promise<Set<string | undefined>> {
  const errors = await checkDeclarations(mutants);
  return new Set(errors.flatMap((line) => /^samples\.ts\((\d+),/.exec(line)?.[1] ?? []));
}

test.each<[title: string, mutation: (body: Json, name: string) => Json]>([
  ['an unknown field', (body, name) => ({ ...body, [`${name}_x`]: body[name], [name]: undefined })],
  ['another type', (body, name) => ({ ...body, [name]: [true] })],
])('a mutant of a response is found: %s', async (_title, mutation) => {
  const mutants = samples.flatMap(({ type, body }) =>
    Object.keys(body as Json).map((name) => ({ type, body: mutation(body as Json, name) })),
  );
  expect(mutants.length).toBeGreaterThan(100);
  expect((await wrongOnes(mutants)).size).toBe(mutants.length);
});

test('an enum is closed, and a decimal is a text', async () => {
  const { body } = samples.find(({ type }) => type === 'Stripe.Subscription') ?? {};
  const price = JSON.parse(JSON.stringify((await sim.stripe.prices.list()).data[0])) as Json;
  const mutants = [
    { type: 'Stripe.Subscription', body: { ...(body as Json), status: 'sleeping' } },
    { type: 'Stripe.Subscription', body: { ...(body as Json), collection_method: 'by_hand' } },
    { type: 'Stripe.Price', body: { ...price, unit_amount_decimal: 2900 } },
    { type: 'Stripe.Price', body: { ...price, unit_amount_decimal: '2900' } },
  ];
  expect((await wrongOnes(mutants)).size).toBe(3);
});
