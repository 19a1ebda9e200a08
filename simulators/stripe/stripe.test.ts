import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stripe } from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlantedSubscription } from '../../scripts/outside/stripe.ts';
import { DAY_MS, SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import type { SimServer } from '../kit/http.ts';
import { listen } from '../kit/http.ts';
import { decodeForm } from './api.ts';
import { PRICE_MONTHLY, PRICE_YEARLY } from './routes.ts';
import { startStripe } from './server.ts';
import { clientFor, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const HOUR_MS = DAY_MS / 24;

const subscriptionOf = async (customer: string) =>
  (await sim.stripe.subscriptions.list({ customer, status: 'all' })).data[0];
const statusOf = async (customer: string) => (await subscriptionOf(customer))?.status;
const invoicesOf = async (customer: string) => (await sim.stripe.invoices.list({ customer })).data;

/** A customer with a subscription, as after Checkout. */
async function subscribed(wish: Partial<PlantedSubscription> = {}): Promise<[string, Stripe.Subscription]> {
  const { id: customer } = await sim.stripe.customers.create({ email: 'ann@example.test' });
  await sim.control.plantSubscription({ customer, price: PRICE_MONTHLY, ...wish });
  return [customer, (await subscriptionOf(customer)) as Stripe.Subscription];
}

async function openSession(price = PRICE_MONTHLY, trial_period_days?: number) {
  const { id: customer } = await sim.stripe.customers.create({ email: 'bo@example.test' });
  return sim.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    client_reference_id: 'user-1',
    success_url: 'http://localhost:3000/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:3000/billing/canceled',
    subscription_data: { metadata: { user: '1' }, ...(trial_period_days && { trial_period_days }) },
  });
}

describe('the API', () => {
  test('reads lists and objects in a form', () => {
    const form = { line_items: [{ price: 'p', quantity: '1' }], a: 'two words' };
    expect(decodeForm('line_items[0][price]=p&line_items[0][quantity]=1&a=two%20words')).toEqual(form);
  });

  test.each(['', 'sk_test_other_1234', 'sk_live_1234567890'])('rejects the key "%s"', async (key) => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${sim.url}/v1/customers`, { headers })).status).toBe(401);
  });

  const recurring = { interval: 'month', intervals: 2 } as never;
  const price = { product: 'prod_smartpause', currency: 'usd', unit_amount: 100, recurring };
  test.each<[string, () => Promise<unknown>, object]>([
    ['an unknown call', () => sim.stripe.rawRequest('GET', '/v1/nothing'), { statusCode: 404 }],
    ['an unknown parameter', () => sim.stripe.prices.create(price), { param: 'recurring[intervals]' }],
    [
      'a missing parameter',
      () => sim.stripe.products.create({} as never),
      { code: 'parameter_missing', param: 'name' },
    ],
    ['an invalid email', () => sim.stripe.customers.create({ email: 'x@com' }), { param: 'email' }],
    [
      'a missing object',
      () => sim.stripe.customers.retrieve('cus_x'),
      { statusCode: 404, code: 'resource_missing', param: 'id' },
    ],
    [
      'an id of a missing object',
      () => sim.openPortal('cus_x'),
      { statusCode: 400, code: 'resource_missing', param: 'customer' },
    ],
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

  test('lists the newest first; a lookup key moves between prices only on request', async () => {
    const { data, has_more } = await sim.stripe.prices.list({ limit: 1 });
    expect([data.map(({ id }) => id), has_more]).toEqual([[PRICE_YEARLY], true]);
    const lookup_key = 'smartpause_monthly';
    const order = { ...price, recurring: { interval: 'month' as const }, lookup_key };
    await expect(sim.stripe.prices.create(order)).rejects.toMatchObject({ code: 'resource_already_exists' });
    const { id } = await sim.stripe.prices.create({ ...order, transfer_lookup_key: true });
    const found = await sim.stripe.prices.list({ lookup_keys: [lookup_key], active: true });
    expect(found.data.map((one) => one.id)).toEqual([id]);
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
  ])('fails as ordered: %j', async (fault, error) => {
    await sim.control.fault(fault);
    await expect(sim.stripe.prices.list()).rejects.toMatchObject(error);
    expect((await sim.stripe.prices.list()).data).toHaveLength(2);
  });
});

describe('Checkout', () => {
  test('with a trial costs nothing today, and leads back', async () => {
    const { id, url, customer, ...session } = await openSession(PRICE_MONTHLY, 30);
    expect(session).toMatchObject({ status: 'open', amount_total: 0 });
    expect(await (await fetch(url ?? '')).text()).toContain('then $29.00 per month');
    const location = `http://localhost:3000/done?session_id=${id}`;
    expect(await sim.control.pay(url ?? '')).toMatchObject({ status: 303, location });
    expect(await sim.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete' });
    const subscription = await subscriptionOf(customer as string);
    expect(subscription).toMatchObject({ status: 'trialing', metadata: { user: '1' } });
    expect(subscription?.items.data[0]?.current_period_end).toBe(subscription?.trial_end);
    expect((await sim.control.pay(`${sim.url}/c/pay/${id}`)).text).toContain('all done here');
  });

  test('without a trial charges the first period; a declined card changes nothing', async () => {
    const session = await openSession(PRICE_YEARLY);
    const customer = session.customer as string;
    expect((await sim.control.pay(session.url ?? '', 'declined')).text).toContain('Your card was declined.');
    expect(await subscriptionOf(customer)).toBeUndefined();
    await sim.control.pay(session.url ?? '');
    expect(await statusOf(customer)).toBe('active');
    expect(await invoicesOf(customer)).toMatchObject([{ status: 'paid', amount_paid: 27_800 }]);
  });

  test('expires by a call, or by itself after a day', async () => {
    const [first, second] = [await openSession(), await openSession()];
    await sim.stripe.checkout.sessions.expire(first.id);
    await expect(sim.stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 });
    await sim.control.advance(DAY_MS + 1000);
    expect((await sim.stripe.checkout.sessions.retrieve(second.id)).status).toBe('expired');
    expect((await sim.control.pay(second.url ?? '')).status).toBe(410);
  });
});

describe('a subscription', () => {
  test('begins its next period at the end of the trial, and charges it an hour later', async () => {
    const [customer, { trial_end: end }] = await subscribed({ trialDays: 10 });
    await sim.control.advance(10 * DAY_MS);
    const items = { data: [{ current_period_start: end }] };
    expect(await subscriptionOf(customer)).toMatchObject({ status: 'active', items });
    expect((await invoicesOf(customer)).map(({ status }) => status)).toEqual(['draft', 'paid']);
    await sim.control.advance(2 * HOUR_MS);
    expect((await invoicesOf(customer))[0]).toMatchObject({ status: 'paid', amount_paid: 2900 });
  });

  test.each([
    ['unpaid', 'unpaid'],
    ['cancel', 'canceled'],
  ] as const)('whose payments fail is past due, then the setting %s applies', async (afterRetries, end) => {
    await sim.control.settings({ afterRetries });
    const [customer] = await subscribed({ trialDays: 10, card: 'fails_at_renewal' });
    await sim.control.advance(10 * DAY_MS + 2 * HOUR_MS);
    expect(await statusOf(customer)).toBe('past_due');
    const [invoice] = await invoicesOf(customer);
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 1 });
    await sim.control.advance(7 * DAY_MS);
    expect(await statusOf(customer)).toBe(end);
    expect((await invoicesOf(customer))[0]).toMatchObject({ attempt_count: 4, next_payment_attempt: null });
  });

  test('whose payment failed is active again with a new card', async () => {
    const [customer] = await subscribed({ card: 'fails_at_renewal' });
    await sim.control.advance(33 * DAY_MS);
    const portal = await sim.openPortal(customer);
    expect((await portal.changeCard('declined')).text).toContain('Your card was declined.');
    expect(await statusOf(customer)).toBe('past_due');
    await portal.changeCard('good');
    expect(await statusOf(customer)).toBe('active');
  });

  test('without a card ends with its trial', async () => {
    const [customer] = await subscribed({ trialDays: 3, card: null });
    await sim.control.advance(4 * DAY_MS);
    expect(await statusOf(customer)).toBe('canceled');
  });

  test('is cancelled for the end of the period in the portal, or by the API, and can be renewed', async () => {
    const [customer, { id, trial_end: end }] = await subscribed({ trialDays: 30 });
    const portal = await sim.openPortal(customer);
    await portal.cancel();
    expect(await subscriptionOf(customer)).toMatchObject({ status: 'trialing', cancel_at: end });
    await portal.renew();
    expect(await subscriptionOf(customer)).toMatchObject({ cancel_at: null, canceled_at: null });
    await sim.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await sim.control.advance(31 * DAY_MS);
    expect(await subscriptionOf(customer)).toMatchObject({ status: 'canceled', ended_at: end });
    expect((await portal.page()).text).toContain('There is no subscription.');
  });

  test('ends at once by the API, with a credit on request, and with its customer', async () => {
    const [customer, { id }] = await subscribed();
    await sim.stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
    expect(await statusOf(customer)).toBe('canceled');
    expect(await sim.stripe.customers.retrieve(customer)).toMatchObject({ balance: -2900 });
    await expect(sim.stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing' });
    const [other] = await subscribed();
    const gone = { id: other, object: 'customer', deleted: true };
    expect(await sim.stripe.customers.del(other)).toEqual(gone);
    expect(await sim.stripe.customers.retrieve(other)).toEqual(gone);
    expect(await statusOf(other)).toBe('canceled');
  });

  test('changes its plan: a trial goes on, a paid period ends and the new one is charged', async () => {
    const [trying, { trial_end: end }] = await subscribed({ trialDays: 30 });
    await (await sim.openPortal(trying)).switchTo(PRICE_YEARLY);
    const items = { data: [{ price: { id: PRICE_YEARLY } }] };
    expect(await subscriptionOf(trying)).toMatchObject({ status: 'trialing', trial_end: end, items });
    expect(await invoicesOf(trying)).toHaveLength(1);
    const [paying] = await subscribed();
    await (await sim.openPortal(paying)).switchTo(PRICE_YEARLY);
    const billing_reason = 'subscription_update';
    expect((await invoicesOf(paying))[0]).toMatchObject({ billing_reason, amount_paid: 27_800 });
  });
});

describe('webhooks', () => {
  const received: { body: string; signature: string }[] = [];
  const statuses: number[] = [];
  let receiver: SimServer;
  beforeAll(async () => {
    receiver = await listen({ port: 0, host: '127.0.0.1' }, ({ body, headers }) => {
      received.push({ body, signature: headers['stripe-signature'] ?? '' });
      return Promise.resolve({ status: statuses.shift() ?? 200, body: '' });
    });
  });
  beforeEach(() => void received.splice(0));
  afterAll(() => receiver.close());

  const customer = (email: string) => sim.stripe.customers.create({ email });
  const emails = () => received.map(({ body }) => /[a-z0-9]+(?=@example)/.exec(body)?.[0]);

  test('are signed, and stop when the endpoint is disabled', async () => {
    const events: Stripe.WebhookEndpointCreateParams['enabled_events'] = ['customer.created'];
    const wanted = { url: receiver.url, enabled_events: events };
    const { id, secret = '' } = await sim.stripe.webhookEndpoints.create(wanted);
    await customer('a@example.test');
    await sim.control.settleWebhooks();
    const { body, signature } = received[0] ?? { body: '', signature: '' };
    expect(sim.stripe.webhooks.constructEvent(body, signature, secret).type).toBe('customer.created');
    await sim.stripe.webhookEndpoints.update(id, { disabled: true, enabled_events: events });
    await customer('b@example.test');
    await sim.control.settleWebhooks();
    expect(received).toHaveLength(1);
  });

  test('are tried three times, and later on request', async () => {
    await sim.control.registerEndpoint(receiver.url);
    statuses.push(500, 500, 500);
    await customer('a@example.test');
    for (let i = 0; i < 4; i += 1) await sim.control.advance(DAY_MS);
    expect(await sim.control.deliveries()).toMatchObject([{ state: 'failed', attempts: [{}, {}, {}] }]);
    await sim.control.retryWebhooks();
    expect(await sim.control.deliveries()).toMatchObject([{ state: 'delivered' }]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test('are lost, come twice, come again, are held, and are released in any order', async () => {
    await sim.control.registerEndpoint(receiver.url);
    await sim.control.dropWebhooks();
    await customer('lost@example.test');
    await sim.control.doubleWebhooks();
    await customer('twice@example.test');
    await sim.control.deliverAgain((await sim.control.events())[0]?.id ?? '');
    expect(emails()).toEqual(['twice', 'twice', 'lost']);
    await sim.control.holdWebhooks();
    for (const name of ['1', '2']) await customer(`${name}@example.test`);
    await sim.control.releaseWebhooks('newest_first');
    expect(emails().slice(3)).toEqual(['2', '1']);
    await sim.control.holdWebhooks();
    await customer('discarded@example.test');
    await sim.control.discardWebhooks();
    await sim.control.settleWebhooks();
    expect(received).toHaveLength(5);
  });

  test('go to the registered endpoint also after a reset', async () => {
    await sim.control.registerEndpoint(receiver.url);
    await sim.control.reset();
    await customer('a@example.test');
    await sim.control.settleWebhooks();
    const { body, signature } = received[0] ?? { body: '', signature: '' };
    const secret = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;
    expect(() => sim.stripe.webhooks.constructEvent(body, signature, secret)).not.toThrow();
  });
});

test('the account is kept in a file for the next run; an unreadable file is ignored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'smartpause-stripe-'));
  const file = join(folder, 'deep', 'account');
  const first = await startStripe({ file });
  const { id } = await clientFor(first.url).customers.create({ name: 'Maya' });
  await first.close();
  const second = await startStripe({ file });
  expect(await clientFor(second.url).customers.retrieve(id)).toMatchObject({ name: 'Maya' });
  await second.close();
  await writeFile(file, 'no account');
  const third = await startStripe({ file });
  expect((await clientFor(third.url).prices.list()).data).toHaveLength(2);
  await third.close();
  await rm(folder, { recursive: true });
});

test('the control page moves the clock; an unknown page is 404', async () => {
  expect(await (await fetch(sim.url)).text()).toContain('A month later');
  for (const path of ['/c/pay/cs_test_x', '/p/session/bps_x', '/elsewhere'])
    expect((await fetch(`${sim.url}${path}`)).status).toBe(404);
});
