import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { until } from '../fixtures/door.fixture.ts';
import { SECRET, useReceiver, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const receiver = useReceiver();

const customer = (email: string) => sim.stripe.customers.create({ email });
const emails = (): unknown[] =>
  receiver.received.map(({ event }) => (event.data.object as Stripe.Customer).email);
async function registered(): Promise<void> {
  await sim.door.registerEndpoint(receiver.url, { events: ['customer.created'] });
}
function verify(index: number): Stripe.Event {
  const { body, signature } = receiver.received[index] ?? { body: '', signature: '' };
  return sim.stripe.webhooks.constructEvent(body, signature, SECRET);
}

describe('an endpoint', () => {
  test('that is created through the API tells its secret once, and signs with it', async () => {
    const { secret, ...endpoint } = await sim.stripe.webhookEndpoints.create({
      url: receiver.url,
      enabled_events: ['customer.created'],
      api_version: '2026-10-28.endive',
    });
    expect(secret).toMatch(/^whsec_/);
    expect(await sim.stripe.webhookEndpoints.retrieve(endpoint.id)).not.toHaveProperty('secret');
    expect((await sim.stripe.webhookEndpoints.list()).data).toHaveLength(1);
    await customer('a@example.test');
    await sim.door.settleWebhooks();
    const { body = '', signature = '' } = receiver.received[0] ?? {};
    const event = await sim.stripe.webhooks.constructEventAsync(body, signature, secret ?? '');
    expect(event).toMatchObject({ type: 'customer.created', data: { object: { email: 'a@example.test' } } });
    expect(event.request?.id).toMatch(/^req_/);

    await sim.stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
    await customer('b@example.test');
    await sim.stripe.webhookEndpoints.del(endpoint.id);
    await customer('c@example.test');
    await sim.door.settleWebhooks();
    expect(receiver.received).toHaveLength(1);
  });

  test('that the door registered outlives a reset; an empty account has none', async () => {
    await registered();
    await sim.door.reset();
    await customer('a@example.test');
    await sim.door.settleWebhooks();
    expect(verify(0).type).toBe('customer.created');
    await sim.door.reset({ empty: true });
    expect((await sim.stripe.webhookEndpoints.list()).data).toEqual([]);
    expect((await sim.stripe.prices.list()).data).toEqual([]);
  });
});

describe('a webhook', () => {
  test('that is refused comes again, until it is taken', async () => {
    await registered();
    receiver.answers.push(500, 400);
    await customer('a@example.test');
    await sim.door.settleWebhooks();
    const [event] = (await sim.stripe.events.list({ delivery_success: false })).data;
    expect(event?.pending_webhooks).toBe(1);
    await sim.door.advance(10 * 60_000);
    await sim.door.advance(60 * 60_000);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(await sim.door.deliveries()).toMatchObject([
      {
        state: 'delivered',
        attempts: [{ status: 500 }, { status: 400 }, { status: 200 }],
        nextAttemptAt: null,
      },
    ]);
    expect((await sim.stripe.events.list({ delivery_success: true })).data.map(({ id }) => id)).toEqual([
      event?.id,
    ]);
  });

  test('that nobody takes for three days is given up, and can be asked for', async () => {
    await registered();
    receiver.answers.push(...Array.from({ length: 10 }, () => 503));
    await customer('a@example.test');
    for (let i = 0; i < 10; i += 1) await sim.door.advance(DAY_MS / 2);
    expect((await sim.door.deliveries())[0]).toMatchObject({ state: 'failed', nextAttemptAt: null });
    await sim.door.retryWebhooks();
    expect((await sim.door.deliveries())[0]).toMatchObject({ state: 'delivered' });
  });

  test('is lost, or comes twice', async () => {
    await registered();
    await sim.door.dropWebhooks({ types: '^customer' });
    await customer('lost@example.test');
    await sim.door.doubleWebhooks();
    await customer('twice@example.test');
    await sim.door.settleWebhooks();
    expect(emails()).toEqual(['twice@example.test', 'twice@example.test']);
    expect(receiver.received[0]?.event.id).toBe(receiver.received[1]?.event.id);
    expect((await sim.door.deliveries()).map(({ state }) => state)).toEqual([
      'dropped',
      'delivered',
      'delivered',
    ]);
  });

  test('comes late, in the order that was asked for, or never', async () => {
    await registered();
    await sim.door.holdWebhooks();
    for (const email of ['1@example.test', '2@example.test', '3@example.test']) await customer(email);
    await sim.door.settleWebhooks();
    expect(receiver.received).toEqual([]);
    await sim.door.releaseWebhooks('newest_first');
    expect(emails()).toEqual(['3@example.test', '2@example.test', '1@example.test']);
    await customer('4@example.test');
    await sim.door.settleWebhooks();
    expect(emails().at(-1)).toBe('4@example.test');
    await sim.door.holdWebhooks('^customer\\.created$');
    await customer('5@example.test');
    expect(await sim.door.discardWebhooks()).toHaveLength(1);
    await sim.door.settleWebhooks();
    expect(receiver.received).toHaveLength(4);
  });

  test('of long ago is delivered again', async () => {
    await registered();
    await customer('a@example.test');
    await sim.door.advance(40 * DAY_MS);
    expect((await sim.stripe.events.list()).data).toEqual([]);
    const [event] = await sim.door.events();
    await sim.door.deliverAgain(event?.id ?? '');
    expect(emails()).toEqual(['a@example.test', 'a@example.test']);
    await expect(sim.door.deliverAgain('evt_x')).rejects.toThrow('there is no event evt_x');
  });

  test('is forged or too old', async () => {
    await registered();
    await sim.door.forgeWebhooks();
    await customer('forged@example.test');
    await sim.door.ageWebhooks();
    await customer('old@example.test');
    await sim.door.settleWebhooks();
    expect(() => verify(0)).toThrow('No signatures found matching');
    expect(() => verify(1)).toThrow('Timestamp outside the tolerance zone');
  });

  test('that nobody answers does not keep the person on the page', async () => {
    await sim.door.registerEndpoint(receiver.url, { events: ['checkout.session.completed'] });
    await sim.door.settings({ checkoutWaitMs: 50 });
    const { promise: answer, resolve } = Promise.withResolvers<number>();
    receiver.answers.push(answer);
    const session = await sim.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: 'price_smartpause_monthly' }],
      success_url: 'http://localhost/done',
    });
    expect(await sim.door.pay(session.url ?? '')).toMatchObject({
      status: 303,
      location: 'http://localhost/done',
    });
    await until('the webhook to arrive', () => Promise.resolve(receiver.received.length === 1));
    resolve(200);
    await sim.door.settleWebhooks();
    expect(await sim.door.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });

  test('to nobody is tried again', async () => {
    await sim.door.registerEndpoint('http://127.0.0.1:1/nobody');
    await customer('a@example.test');
    await sim.door.settleWebhooks();
    expect(await sim.door.deliveries()).toMatchObject([{ state: 'waiting', attempts: [{ status: null }] }]);
  });
});
