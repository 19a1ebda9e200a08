import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/simulator-clients/stripe.ts';
import { startStripe } from './server.ts';
import { clientFor, useStripe } from './stripe.fixture.ts';

// The states of a subscription and the webhooks are proved by the billing tests of the product.

const sim = useStripe();
const HOUR_MS = DAY_MS / 24;

describe('the API', () => {
  test.each(['', 'sk_test_other_1234', 'sk_live_1234567890'])('rejects the key "%s"', async (key) => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${sim.url}/v1/customers`, { headers })).status).toBe(401);
  });

  const recurring = { interval: 'month', intervals: 2 } as never;
  const price = { product: 'prod_smartpause', currency: 'usd', unit_amount: 100, recurring };
  const missing = { code: 'resource_missing' };
  test.each<[string, () => Promise<unknown>, object]>([
    ['an unknown call', () => sim.stripe.rawRequest('GET', '/v1/nothing'), { statusCode: 404 }],
    ['an unknown parameter', () => sim.stripe.prices.create(price), { param: 'recurring[intervals]' }],
    ['a missing parameter', () => sim.stripe.products.create({} as never), { code: 'parameter_missing' }],
    ['an invalid email', () => sim.stripe.customers.create({ email: 'x@com' }), { param: 'email' }],
    ['a missing object', () => sim.stripe.customers.retrieve('cus_x'), { ...missing, statusCode: 404 }],
    ['an id of a missing object', () => sim.openPortal('cus_x'), { ...missing, param: 'customer' }],
  ])('rejects %s', async (_title, call, error) => {
    await expect(call()).rejects.toMatchObject({ type: 'StripeInvalidRequestError', ...error });
  });

  test('replays the response to an idempotency key for a day, also a failure', async () => {
    const create = (email: string, idempotencyKey: string) =>
      sim.stripe.customers.create({ email }, { idempotencyKey });
    const { id } = await create('a@example.test', 'once');
    expect((await create('a@example.test', 'once')).id).toBe(id);
    await expect(create('b@example.test', 'once')).rejects.toMatchObject({ type: 'StripeIdempotencyError' });
    await sim.control.advance(25 * HOUR_MS);
    expect((await create('a@example.test', 'once')).id).not.toBe(id);
    await sim.control.fault({ kind: 'applied_but_error' });
    for (let i = 0; i < 2; i += 1)
      await expect(create('c@example.test', 'failing')).rejects.toMatchObject({ statusCode: 500 });
  });
});

test('the account is kept in a file for the next run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-stripe-'));
  const file = join(folder, 'deep', 'account');
  const first = await startStripe({ file });
  const { id } = await clientFor(first.url).customers.create({ name: 'Maya' });
  await first.close();
  const second = await startStripe({ file });
  expect(await clientFor(second.url).customers.retrieve(id)).toMatchObject({ name: 'Maya' });
  await second.close();
  await rm(folder, { recursive: true });
});
