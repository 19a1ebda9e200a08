import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { PRICE_YEARLY } from './seed.ts';
import { DAY, subscribed, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const HOUR_MS = 3_600_000;

const retrieve = (id: string) => sim.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
async function typesOf(): Promise<string[]> {
  return (await sim.door.events()).map(({ type }) => type);
}
const periodOf = async (id: string): Promise<[start: number, end: number]> => {
  const [item] = (await retrieve(id)).items.data;
  return [item?.current_period_start ?? 0, item?.current_period_end ?? 0];
};

describe('a trial', () => {
  test('is announced three days before it ends, once', async () => {
    await subscribed(sim, { trialDays: 30 });
    await sim.door.advance(27 * DAY_MS - HOUR_MS);
    expect(await typesOf()).not.toContain('customer.subscription.trial_will_end');
    await sim.door.advance(2 * HOUR_MS);
    await sim.door.advance(2 * HOUR_MS);
    expect((await typesOf()).filter((type) => type === 'customer.subscription.trial_will_end')).toHaveLength(
      1,
    );
  });

  test('ends with a good card: active, a new period, and an hour later the money', async () => {
    const { subscription } = await subscribed(sim, { trialDays: 30 });
    const [, trialEnd] = await periodOf(subscription.id);
    await sim.door.advance(30 * DAY_MS + 1000);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      trial_end: trialEnd,
      latest_invoice: { status: 'draft', billing_reason: 'subscription_cycle', total: 2900 },
    });
    const [start, end] = await periodOf(subscription.id);
    expect(start).toBe(trialEnd);
    expect(new Date(end * 1000).getUTCMonth()).toBe((new Date(trialEnd * 1000).getUTCMonth() + 1) % 12);
    await sim.door.advance(HOUR_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'paid', amount_paid: 2900, attempt_count: 1 },
    });
  });

  test('ends without a card as it was asked to', async () => {
    const ends = await Promise.all(
      (['cancel', 'pause', 'create_invoice'] as const).map((missingPaymentMethod) =>
        subscribed(sim, { trialDays: 30, card: null, missingPaymentMethod }),
      ),
    );
    await sim.door.advance(30 * DAY_MS + 2 * HOUR_MS);
    const statuses = await Promise.all(
      ends.map(async ({ subscription }) => (await retrieve(subscription.id)).status),
    );
    expect(statuses).toEqual(['canceled', 'paused', 'past_due']);
    expect(await typesOf()).toEqual(
      expect.arrayContaining(['customer.subscription.deleted', 'customer.subscription.paused']),
    );
  });
});

describe('a renewal', () => {
  test('happens period after period, each at its own time', async () => {
    const { subscription } = await subscribed(sim);
    await sim.door.advance(100 * DAY_MS);
    const { data } = await sim.stripe.invoices.list({ subscription: subscription.id });
    expect(data.map(({ billing_reason: reason, status }) => [reason, status])).toEqual([
      ['subscription_cycle', 'paid'],
      ['subscription_cycle', 'paid'],
      ['subscription_cycle', 'paid'],
      ['subscription_create', 'paid'],
    ]);
    const [start] = await periodOf(subscription.id);
    expect(data[0]?.created).toBe(start);
    expect(data[0]?.status_transitions.paid_at).toBe(start + 3600);
  });

  test('of a yearly plan is a year later', async () => {
    const { subscription } = await subscribed(sim, { price: PRICE_YEARLY });
    const [start, end] = await periodOf(subscription.id);
    expect((end - start) / DAY).toBeGreaterThanOrEqual(365);
    await sim.door.advance(364 * DAY_MS);
    expect(await periodOf(subscription.id)).toEqual([start, end]);
    await sim.door.advance(3 * DAY_MS);
    expect((await periodOf(subscription.id))[0]).toBe(end);
  });

  test.each([
    ['unpaid', 'unpaid'],
    ['cancel', 'canceled'],
    ['past_due', 'past_due'],
  ] as const)(
    'that fails is tried again three times, and then the subscription is %s',
    async (afterRetries, status) => {
      await sim.door.settings({ afterRetries });
      const { subscription } = await subscribed(sim, { trialDays: 10, card: 'fails_at_renewal' });
      await sim.door.advance(10 * DAY_MS + 2 * HOUR_MS);
      expect(await retrieve(subscription.id)).toMatchObject({
        status: 'past_due',
        latest_invoice: { status: 'open', attempt_count: 1, amount_remaining: 2900 },
      });
      for (const [days, attempts] of [
        [3, 2],
        [2, 3],
      ] as const) {
        await sim.door.advance(days * DAY_MS);
        expect(await retrieve(subscription.id)).toMatchObject({
          status: 'past_due',
          latest_invoice: { attempt_count: attempts },
        });
      }
      await sim.door.advance(2 * DAY_MS);
      expect(await retrieve(subscription.id)).toMatchObject({
        status,
        latest_invoice: { status: 'open', attempt_count: 4, next_payment_attempt: null },
      });
      const failures = (await typesOf()).filter((type) => type === 'invoice.payment_failed');
      expect(failures).toHaveLength(4);
    },
  );

  test('of an unpaid subscription leaves a draft that nobody charges', async () => {
    const { subscription } = await subscribed(sim, { card: 'fails_at_renewal' });
    await sim.door.advance(70 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'unpaid' });
    const { data } = await sim.stripe.invoices.list({ subscription: subscription.id });
    expect(data.map(({ status }) => status)).toEqual(['draft', 'open', 'paid']);
  });
});

describe('a payment that failed at first', () => {
  test.each([
    ['past_due', 33],
    ['unpaid', 70],
  ])('is made good with a new card: %s becomes active', async (status, days) => {
    const { customer, subscription } = await subscribed(sim, { card: 'fails_at_renewal' });
    await sim.door.advance(days * DAY_MS);
    expect((await retrieve(subscription.id)).status).toBe(status);
    const { url } = await sim.stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'http://localhost/',
    });
    expect((await sim.door.portal(url).changeCard('declined')).text).toContain('Your card was declined.');
    await sim.door.portal(url).changeCard('good');
    expect((await retrieve(subscription.id)).status).toBe('active');
    const open = await sim.stripe.invoices.list({ subscription: subscription.id, status: 'open' });
    expect(open.data).toEqual([]);
  });
});

describe('a first payment that fails', () => {
  test('leaves an incomplete subscription, which expires after 23 hours', async () => {
    const customer = await sim.stripe.customers.create({});
    const subscription = await sim.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: PRICE_YEARLY }],
      default_payment_method: 'pm_card_chargeCustomerFail',
    });
    expect(subscription.status).toBe('incomplete');
    await sim.door.advance(24 * HOUR_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'incomplete_expired',
      latest_invoice: { status: 'void' },
    });
  });

  test('is made good within that time', async () => {
    const { customer, subscription } = await subscribed(sim, { card: null });
    expect(subscription.status).toBe('incomplete');
    const { url } = await sim.stripe.billingPortal.sessions.create({ customer: customer.id });
    await sim.door.portal(url).changeCard('good');
    expect((await retrieve(subscription.id)).status).toBe('active');
  });
});

describe('an end', () => {
  test('that was asked for by cancel_at_period_end comes at the end of the period', async () => {
    const { subscription } = await subscribed(sim);
    const [, end] = await periodOf(subscription.id);
    const marked = await sim.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(marked).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: null });
    expect(marked.canceled_at).not.toBeNull();
    const both = sim.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: false,
      cancel_at: '',
    });
    await expect(both).rejects.toMatchObject({ code: 'parameters_exclusive' });
    await sim.door.advance(32 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: end,
      canceled_at: marked.canceled_at,
    });
    expect((await typesOf()).at(-1)).toBe('customer.subscription.deleted');
  });

  test('by a time, which can be taken back', async () => {
    const { subscription } = await subscribed(sim);
    const [, end] = await periodOf(subscription.id);
    const marked = await sim.stripe.subscriptions.update(subscription.id, { cancel_at: 'min_period_end' });
    expect(marked).toMatchObject({ cancel_at: end, cancel_at_period_end: false });
    const cleared = await sim.stripe.subscriptions.update(subscription.id, { cancel_at: '' });
    expect(cleared).toMatchObject({ cancel_at: null, canceled_at: null });
  });

  test('of the customer is the end of all its subscriptions', async () => {
    const { customer, subscription } = await subscribed(sim);
    expect(await sim.stripe.customers.del(customer.id)).toEqual({
      id: customer.id,
      object: 'customer',
      deleted: true,
    });
    expect(await sim.stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
    expect((await sim.stripe.customers.list()).data).toEqual([]);
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'canceled', customer: customer.id });
    const { data } = await sim.stripe.subscriptions.list({ customer: customer.id, status: 'all' });
    expect(data.map(({ id }) => id)).toEqual([subscription.id]);
    expect((await typesOf()).slice(-2)).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  });

  test('of a checkout that nobody completes comes after a day', async () => {
    const session = await sim.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: PRICE_YEARLY }],
      success_url: 'http://localhost/',
    });
    await sim.door.advance(25 * HOUR_MS);
    expect(await sim.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      url: null,
    });
    expect(await typesOf()).toContain('checkout.session.expired');
    expect((await sim.door.pay(session.url ?? '')).status).toBe(410);
  });
});
