import type { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { DAY_MS, SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import { useReceiver, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const receiver = useReceiver();

const customer = (email: string) => sim.stripe.customers.create({ email });
const emails = (): unknown[] =>
  receiver.received.map(({ event }) => (event.data.object as Stripe.Customer).email);
const registered = () => sim.control.registerEndpoint(receiver.url, { events: ['customer.created'] });
function verify(index: number, secret = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET): Stripe.Event {
  const { body, signature } = receiver.received[index] ?? { body: '', signature: '' };
  return sim.stripe.webhooks.constructEvent(body, signature, secret);
}

test('an endpoint of the API shows its secret once, signs with it, and can be disabled', async () => {
  const { id, secret = '' } = await sim.stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['customer.created'],
    api_version: '2026-10-28.endive',
  });
  expect(secret).toMatch(/^whsec_/);
  expect((await sim.stripe.webhookEndpoints.list()).data[0]).not.toHaveProperty('secret');
  await customer('a@example.test');
  await sim.control.settleWebhooks();
  const event = verify(0, secret);
  expect(event).toMatchObject({ type: 'customer.created', data: { object: { email: 'a@example.test' } } });
  expect([event.api_version, event.request?.id?.slice(0, 4)]).toEqual(['2026-10-28.endive', 'req_']);
  await sim.stripe.webhookEndpoints.update(id, { disabled: true, enabled_events: ['customer.created'] });
  await customer('b@example.test');
  await sim.control.settleWebhooks();
  expect(receiver.received).toHaveLength(1);
});

test('an endpoint of the control API is registered once, and outlives a reset; an empty account has none', async () => {
  await registered();
  await registered();
  await sim.control.reset();
  await customer('a@example.test');
  await sim.control.settleWebhooks();
  expect(verify(0).type).toBe('customer.created');
  expect(receiver.received).toHaveLength(1);
  await sim.control.reset({ empty: true });
  expect((await sim.stripe.webhookEndpoints.list()).data).toEqual([]);
  expect((await sim.stripe.prices.list()).data).toEqual([]);
});

test('a rejected webhook is retried for three days, and later only on request', async () => {
  await registered();
  receiver.answers.push(500, 400);
  await customer('a@example.test');
  await sim.control.settleWebhooks();
  await sim.control.advance(10 * 60_000);
  await sim.control.advance(60 * 60_000);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  const attempts = [{ status: 500 }, { status: 400 }, { status: 200 }];
  expect(await sim.control.deliveries()).toMatchObject([
    { state: 'delivered', attempts, nextAttemptAt: null },
  ]);
  receiver.answers.push(...Array.from({ length: 10 }, () => 503));
  await customer('b@example.test');
  for (let i = 0; i < 10; i += 1) await sim.control.advance(DAY_MS / 2);
  expect((await sim.control.deliveries())[1]).toMatchObject({ state: 'failed', nextAttemptAt: null });
  await sim.control.retryWebhooks();
  expect((await sim.control.deliveries())[1]).toMatchObject({ state: 'delivered' });
  await sim.control.registerEndpoint('http://127.0.0.1:1/unreachable');
  await customer('c@example.test');
  await sim.control.settleWebhooks();
  expect((await sim.control.deliveries()).at(-1)).toMatchObject({
    state: 'waiting',
    attempts: [{ status: null }],
  });
});

test('a webhook is lost, comes twice, or comes again long afterwards', async () => {
  await registered();
  await sim.control.dropWebhooks({ types: '^customer' });
  await customer('lost@example.test');
  await sim.control.doubleWebhooks();
  await customer('twice@example.test');
  await sim.control.settleWebhooks();
  expect(emails()).toEqual(['twice@example.test', 'twice@example.test']);
  const states = (await sim.control.deliveries()).map(({ state }) => state);
  expect(states).toEqual(['dropped', 'delivered', 'delivered']);
  await sim.control.advance(40 * DAY_MS);
  await sim.control.deliverAgain((await sim.control.events())[0]?.id ?? '');
  expect(emails().at(-1)).toBe('lost@example.test');
  await expect(sim.control.deliverAgain('evt_x')).rejects.toThrow('there is no event evt_x');
});

test('webhooks are held, and released in the requested order or discarded', async () => {
  await registered();
  await sim.control.holdWebhooks();
  for (const email of ['1@example.test', '2@example.test', '3@example.test']) await customer(email);
  await sim.control.settleWebhooks();
  expect(receiver.received).toEqual([]);
  await sim.control.releaseWebhooks('newest_first');
  expect(emails()).toEqual(['3@example.test', '2@example.test', '1@example.test']);
  await sim.control.holdWebhooks();
  await customer('4@example.test');
  expect(await sim.control.discardWebhooks()).toHaveLength(1);
  await customer('5@example.test');
  await sim.control.settleWebhooks();
  expect(emails().at(-1)).toBe('5@example.test');
  expect(receiver.received).toHaveLength(4);
});
