import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { order } from '../fixtures/door.fixture.ts';
import { PRICE_MONTHLY, PRICE_YEARLY, PRODUCT } from './seed.ts';
import { clientFor, subscribed, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const anything = {} as never;

describe('a call', () => {
  test.each([
    ['without a key', '', 'You did not provide an API key'],
    ['with another key', 'sk_test_other_1234', 'Invalid API Key provided: sk_test_******1234'],
    ['with a live key', 'sk_live_1234567890', 'a live key must never be sent'],
  ])('%s is refused', async (_title, key, message) => {
    const answer = await fetch(`${sim.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining(message) as string },
    });
    if (key !== '')
      await expect(clientFor(sim.url, key).customers.list()).rejects.toBeInstanceOf(
        Stripe.errors.StripeAuthenticationError,
      );
  });

  test('has a request id and the version it was made in', async () => {
    const { lastResponse } = await sim.stripe.customers.create({});
    expect(lastResponse).toMatchObject({
      requestId: expect.stringMatching(/^req_/) as string,
      apiVersion: Stripe.API_VERSION,
    });
  });

  test('that Stripe does not have is an error of Stripe', async () => {
    const answer = await fetch(`${sim.url}/v1/nothing`, {
      headers: { authorization: 'Bearer sk_test_simulated' },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toHaveProperty('error.message');
  });

  const REFUSED: [title: string, call: () => Promise<unknown>, error: object][] = [
    [
      'an unknown parameter',
      () => sim.stripe.customers.create({ emial: 'x' } as never),
      { code: 'parameter_unknown', param: 'emial', message: 'Received unknown parameter: emial' },
    ],
    [
      'an unknown parameter deep inside',
      () =>
        sim.stripe.checkout.sessions.create({
          mode: 'subscription',
          line_items: [{ price: PRICE_MONTHLY }],
          success_url: 'http://localhost/',
          subscription_data: { trial_days: 3 } as never,
        }),
      { code: 'parameter_unknown', param: 'subscription_data[trial_days]' },
    ],
    [
      'a missing parameter',
      () => sim.stripe.products.create(anything),
      { code: 'parameter_missing', param: 'name', message: 'Missing required param: name.' },
    ],
    [
      'a text for a number',
      () => sim.stripe.customers.list({ limit: 'many' as never }),
      { code: 'parameter_invalid_integer', param: 'limit' },
    ],
    [
      'what is not there',
      () => sim.stripe.customers.retrieve('cus_x'),
      { statusCode: 404, code: 'resource_missing', param: 'id' },
    ],
    [
      'a parameter that names what is not there',
      () => sim.stripe.billingPortal.sessions.create({ customer: 'cus_x' }),
      { statusCode: 400, code: 'resource_missing', param: 'customer', message: "No such customer: 'cus_x'" },
    ],
    [
      'what cannot be expanded',
      () => sim.stripe.prices.retrieve(PRICE_MONTHLY, { expand: ['nothing'] }),
      { message: 'This property cannot be expanded (nothing).' },
    ],
    [
      'a lookup key that is taken',
      () =>
        sim.stripe.prices.create({
          product: PRODUCT,
          currency: 'usd',
          unit_amount: 1,
          lookup_key: 'smartpause_monthly',
        }),
      { code: 'resource_already_exists' },
    ],
    [
      'a session that ends too soon',
      () =>
        sim.stripe.checkout.sessions.create({
          mode: 'subscription',
          line_items: [{ price: PRICE_MONTHLY }],
          success_url: 'http://localhost/',
          expires_at: Math.floor(Date.now() / 1000) + 60,
        }),
      { param: 'expires_at' },
    ],
  ];
  test.each(REFUSED)('is refused: %s', async (_title, call, error) => {
    await expect(call()).rejects.toMatchObject({ type: 'StripeInvalidRequestError', ...error });
  });

  test('for a subscription that has ended is refused', async () => {
    const { subscription } = await subscribed(sim);
    const { id } = subscription;
    expect(await sim.stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled', cancel_at: null });
    const update = sim.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await expect(update).rejects.toMatchObject({
      statusCode: 400,
      code: 'invalid_canceled_subscription_fields',
    });
    expect(await sim.stripe.subscriptions.update(id, { metadata: { a: 'b' } })).toMatchObject({
      metadata: { a: 'b' },
    });
    await expect(sim.stripe.subscriptions.cancel(id)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });
});

describe('an idempotency key', () => {
  const key = { idempotencyKey: 'once' };

  test('answers a repeated call with the first answer', async () => {
    const first = await sim.stripe.customers.create({ email: 'a@example.test' }, key);
    const again = await sim.stripe.customers.create({ email: 'a@example.test' }, key);
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await sim.stripe.customers.list()).data).toHaveLength(1);
    await sim.door.advance(25 * 3_600_000);
    expect((await sim.stripe.customers.create({ email: 'a@example.test' }, key)).id).not.toBe(first.id);
  });

  test('belongs to its parameters', async () => {
    await sim.stripe.customers.create({ email: 'a@example.test' }, key);
    const other = sim.stripe.customers.create({ email: 'b@example.test' }, key);
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  test('of a call that was refused for its parameters is free again', async () => {
    await expect(sim.stripe.products.create(anything, key)).rejects.toThrow();
    expect(await sim.stripe.products.create({ name: 'x' }, key)).toHaveProperty('name', 'x');
  });

  test('makes a call whose answer was lost harmless', async () => {
    await order(sim.url, { kind: 'reset_after', method: 'POST' });
    const { id } = await clientFor(sim.url, undefined, 2).customers.create({ email: 'a@example.test' });
    expect((await sim.stripe.customers.list()).data.map((one) => one.id)).toEqual([id]);
    expect((await sim.door.calls()).filter(({ method }) => method === 'POST')).toMatchObject([
      { replayed: false },
      { replayed: true },
    ]);
  });

  test('repeats a failure too', async () => {
    await order(sim.url, { kind: 'applied_but_error', http: 500 });
    for (let i = 0; i < 2; i += 1)
      await expect(sim.stripe.customers.create({}, key)).rejects.toMatchObject({
        type: 'StripeAPIError',
        statusCode: 500,
      });
    expect((await sim.stripe.customers.list()).data).toHaveLength(1);
  });
});

describe('a list', () => {
  test('has pages, newest first, and knows whether there is more', async () => {
    for (const name of ['a', 'b', 'c']) await sim.stripe.customers.create({ name });
    const first = await sim.stripe.customers.list({ limit: 2 });
    expect([first.data.map(({ name }) => name), first.has_more]).toEqual([['c', 'b'], true]);
    const after = first.data[1]?.id ?? '';
    const second = await sim.stripe.customers.list({ limit: 2, starting_after: after });
    expect([second.data.map(({ name }) => name), second.has_more]).toEqual([['a'], false]);
    const names: (string | null | undefined)[] = [];
    for await (const { name } of sim.stripe.customers.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(['c', 'b', 'a']);
    const before = await sim.stripe.customers.list({ ending_before: second.data[0]?.id ?? '', limit: 1 });
    expect([before.data.map(({ name }) => name), before.has_more]).toEqual([['b'], true]);
  });

  test('of prices, by product and lookup key', async () => {
    const { data } = await sim.stripe.prices.list({
      lookup_keys: ['smartpause_yearly'],
      expand: ['data.product'],
    });
    expect(data).toMatchObject([
      { id: PRICE_YEARLY, unit_amount: 27_800, product: { id: PRODUCT, name: 'SmartPause' } },
    ]);
    await sim.stripe.prices.update(PRICE_YEARLY, { active: false });
    expect(
      (await sim.stripe.prices.list({ product: PRODUCT, active: true })).data.map(({ id }) => id),
    ).toEqual([PRICE_MONTHLY]);
  });

  test('of subscriptions leaves out the canceled unless they are asked for', async () => {
    const { customer, subscription } = await subscribed(sim, { trialDays: 5 });
    const { id } = await sim.door.plantSubscription({ customer: customer.id, price: PRICE_YEARLY });
    await sim.stripe.subscriptions.cancel(id);
    const listed = async (more: object): Promise<string[]> =>
      (await sim.stripe.subscriptions.list({ customer: customer.id, ...more })).data.map((one) => one.id);
    expect(await listed({})).toEqual([subscription.id]);
    expect(await listed({ status: 'all' })).toEqual([id, subscription.id]);
    expect(await listed({ status: 'ended' })).toEqual([id]);
    expect(await listed({ status: 'trialing', price: PRICE_MONTHLY })).toEqual([subscription.id]);
    await sim.door.setStatus(subscription.id, 'asleep');
    expect((await sim.stripe.subscriptions.retrieve(subscription.id)).status).toBe('asleep');
    await sim.door.setStatus(subscription.id, 'paused');
    await sim.door.reset();
  });
});

describe('an order for a fault', () => {
  test.each([
    [
      { kind: 'error', http: 429 },
      { type: 'StripeRateLimitError', code: 'rate_limit' },
    ],
    [
      { kind: 'error', path: '^/customers$' },
      { type: 'StripeAPIError', statusCode: 500 },
    ],
    [{ kind: 'html' }, { type: 'StripeAPIError' }],
    // The SDK tries a connection that was cut once more, whatever its retries are set to.
    [{ kind: 'reset', times: 2 }, { type: 'StripeConnectionError' }],
    [{ kind: 'truncated' }, { type: 'StripeAPIError' }],
  ])('%j', async (fault, error) => {
    await order(sim.url, fault);
    await expect(sim.stripe.customers.list()).rejects.toMatchObject(error);
    expect((await sim.stripe.customers.list()).data).toEqual([]);
  });
});
