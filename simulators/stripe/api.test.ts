import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { PORTAL_CONFIGURATION, PRICE_MONTHLY, PRICE_YEARLY } from './seed.ts';
import { clientFor, useStripe } from './stripe.fixture.ts';
import { decodeForm } from './wire/form.ts';

const sim = useStripe();
const anything = {} as never;

test.each([
  ['a=1&b=two%20words', { a: '1', b: 'two words' }],
  ['line_items[0][price]=p&line_items[0][quantity]=1', { line_items: [{ price: 'p', quantity: '1' }] }],
  ['created[gte]=5&metadata[a.b]=c', { created: { gte: '5' }, metadata: { 'a.b': 'c' } }],
  ['__proto__[polluted]=1&a=1', { a: '1' }],
])('the form %s', (text, form) => {
  expect(decodeForm(text)).toEqual(form);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test.each([
  ['', 'You did not provide an API key'],
  ['sk_test_other_1234', 'Invalid API Key provided: sk_test_****1234'],
  ['sk_live_1234567890', 'a live key must never be sent'],
])('the key "%s" is rejected', async (key, message) => {
  const answer = await fetch(`${sim.url}/v1/customers`, { headers: { authorization: `Bearer ${key}` } });
  expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining(message)]);
});

test('a response has a request id and the version of its request; an unknown path is an error of Stripe', async () => {
  const { lastResponse } = await sim.stripe.customers.create({});
  expect(lastResponse.requestId).toMatch(/^req_/);
  expect(lastResponse.apiVersion).toBe(Stripe.API_VERSION);
  await expect(sim.stripe.rawRequest('GET', '/v1/nothing')).rejects.toMatchObject({ statusCode: 404 });
});

const missing = (param: string) => ({ code: 'resource_missing', param });
const REFUSED: [title: string, call: () => Promise<unknown>, error: object][] = [
  [
    'an unknown parameter',
    () => sim.stripe.customers.create({ emial: 'x' } as never),
    { code: 'parameter_unknown', param: 'emial', message: 'Received unknown parameter: emial' },
  ],
  [
    'an unknown parameter deep inside',
    () =>
      sim.stripe.prices.create({
        product: 'prod_smartpause',
        currency: 'usd',
        unit_amount: 100,
        recurring: { interval: 'month', intervals: 2 } as never,
      }),
    { code: 'parameter_unknown', param: 'recurring[intervals]' },
  ],
  [
    'a missing parameter',
    () => sim.stripe.products.create(anything),
    { code: 'parameter_missing', param: 'name', message: 'Missing required param: name.' },
  ],
  [
    'a text for a number',
    () => sim.stripe.prices.list({ limit: 'many' as never }),
    { code: 'parameter_invalid_integer', param: 'limit' },
  ],
  [
    'an invalid address',
    () => sim.stripe.customers.create({ email: 'x@com' }),
    { code: 'email_invalid', param: 'email' },
  ],
  ['a missing object', () => sim.stripe.customers.retrieve('cus_x'), { statusCode: 404, ...missing('id') }],
  [
    'a parameter with the id of a missing object',
    () => sim.openPortal('cus_x'),
    { statusCode: 400, ...missing('customer'), message: "No such customer: 'cus_x'" },
  ],
  ['a portal without a configuration', () => sim.openPortal('cus_x', 'bpc_x'), missing('customer')],
];
test.each(REFUSED)('%s is rejected', async (_title, call, error) => {
  await expect(call()).rejects.toMatchObject({ type: 'StripeInvalidRequestError', ...error });
});

describe('an idempotency key', () => {
  const key = { idempotencyKey: 'once' };
  const created = async () =>
    (await sim.control.events()).filter(({ type }) => type === 'customer.created').length;

  test('replays the first response for a day, for the same parameters', async () => {
    const first = await sim.stripe.customers.create({ email: 'a@example.test' }, key);
    const again = await sim.stripe.customers.create({ email: 'a@example.test' }, key);
    expect([again.id, await created()]).toEqual([first.id, 1]);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    const other = sim.stripe.customers.create({ email: 'b@example.test' }, key);
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    await sim.control.advance(25 * 3_600_000);
    expect((await sim.stripe.customers.create({ email: 'a@example.test' }, key)).id).not.toBe(first.id);
  });

  test('of a call that was rejected for its parameters is free again', async () => {
    await expect(sim.stripe.products.create(anything, key)).rejects.toThrow();
    expect(await sim.stripe.products.create({ name: 'x' }, key)).toHaveProperty('name', 'x');
  });

  test('protects against a lost response, and replays a failure', async () => {
    await sim.control.fault({ kind: 'reset_after', method: 'POST' });
    await clientFor(sim.url, undefined, 2).customers.create({ email: 'a@example.test' });
    expect(await created()).toBe(1);
    const posts = (await sim.control.calls()).filter(({ method }) => method === 'POST');
    expect(posts).toMatchObject([{ replayed: false }, { replayed: true }]);
    await sim.control.fault({ kind: 'applied_but_error', http: 500 });
    const failure = { type: 'StripeAPIError', statusCode: 500 };
    for (let i = 0; i < 2; i += 1)
      await expect(sim.stripe.customers.create({}, key)).rejects.toMatchObject(failure);
    expect(await created()).toBe(2);
  });
});

test('a list is newest first, and says whether there is more', async () => {
  const { data, has_more } = await sim.stripe.prices.list({ limit: 1 });
  expect([data.map(({ id }) => id), has_more]).toEqual([[PRICE_YEARLY], true]);
  expect((await sim.stripe.prices.list({ active: true })).data).toHaveLength(2);
  const { data: portals } = await sim.stripe.billingPortal.configurations.list({ active: true });
  expect(portals.map(({ id }) => id)).toEqual([PORTAL_CONFIGURATION]);
});

test('a lookup key belongs to one price, and moves only on request', async () => {
  const { product } = await sim.stripe.prices.retrieve(PRICE_MONTHLY);
  const price = {
    product: product as string,
    currency: 'usd',
    unit_amount: 3900,
    recurring: { interval: 'month' as const },
    lookup_key: 'smartpause_monthly',
  };
  await expect(sim.stripe.prices.create(price)).rejects.toMatchObject({ code: 'resource_already_exists' });
  const { id } = await sim.stripe.prices.create({ ...price, transfer_lookup_key: true });
  const found = await sim.stripe.prices.list({ lookup_keys: [price.lookup_key] });
  expect(found.data.map((one) => one.id)).toEqual([id]);
});

test('metadata of a subscription is merged; any status can be set', async () => {
  const [, { id }] = await sim.subscribed();
  await sim.stripe.subscriptions.update(id, { metadata: { a: '1' } });
  const updated = await sim.stripe.subscriptions.update(id, { metadata: { b: '2' } });
  expect(updated.metadata).toEqual({ a: '1', b: '2' });
  const updates = (await sim.control.events()).filter(({ type }) => type === 'customer.subscription.updated');
  expect(updates[0]?.data.previous_attributes).toEqual({ metadata: {} });
  await sim.control.setStatus(id, 'asleep');
  expect((await sim.stripe.subscriptions.retrieve(id)).status).toBe('asleep');
  await sim.control.reset();
});

test.each([
  [
    { kind: 'error', http: 429 },
    { type: 'StripeRateLimitError', code: 'rate_limit' },
  ],
  [
    { kind: 'error', path: '^/prices$' },
    { type: 'StripeAPIError', statusCode: 500 },
  ],
  [{ kind: 'html' }, { type: 'StripeAPIError' }],
  // The SDK always retries a connection that was cut once.
  [{ kind: 'reset', times: 2 }, { type: 'StripeConnectionError' }],
  [{ kind: 'truncated' }, { type: 'StripeAPIError' }],
])('the fault %j', async (fault, error) => {
  await sim.control.fault(fault);
  await expect(sim.stripe.prices.list()).rejects.toMatchObject(error);
  expect((await sim.stripe.prices.list()).data).toHaveLength(2);
});

test('there is an HTML page, and an unknown path is 404', async () => {
  const page = await (await fetch(sim.url)).text();
  for (const words of ['Stripe, simulated', 'A day on', 'Lose one webhook']) expect(page).toContain(words);
  for (const path of ['/c/pay/cs_test_x', '/p/session/bps_x', '/elsewhere'])
    expect((await fetch(`${sim.url}${path}`)).status).toBe(404);
  const planted = sim.control.post('/subscriptions', { customer: 'cus_x', price: 'price_x' });
  await expect(planted).rejects.toThrow('there is no customer cus_x');
});
