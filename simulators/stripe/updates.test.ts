import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { DAY, subscribed, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const EXPAND = { expand: ['latest_invoice.payments'] };
const retrieve = (id: string) => sim.stripe.subscriptions.retrieve(id, EXPAND);

describe('the end of a trial', () => {
  test('is brought forward to now, and charged at once', async () => {
    const { subscription } = await subscribed(sim, { trialDays: 30 });
    const ended = await sim.stripe.subscriptions.update(subscription.id, { trial_end: 'now', ...EXPAND });
    expect(ended).toMatchObject({
      status: 'active',
      billing_cycle_anchor: ended.trial_end,
      latest_invoice: {
        status: 'paid',
        amount_paid: 2900,
        payments: { data: [{ status: 'paid', amount_paid: 2900, payment: { type: 'payment_intent' } }] },
      },
    });
  });

  test('is put off, and announced again', async () => {
    const { subscription } = await subscribed(sim, { trialDays: 5 });
    await sim.door.advance(3 * DAY_MS);
    const later = (subscription.trial_end ?? 0) + 10 * DAY;
    const longer = await sim.stripe.subscriptions.update(subscription.id, { trial_end: later });
    expect(longer).toMatchObject({ status: 'trialing', trial_end: later, billing_cycle_anchor: later });
    expect(longer.items.data[0]?.current_period_end).toBe(later);
    await sim.door.advance(11 * DAY_MS);
    expect((await retrieve(subscription.id)).status).toBe('trialing');
    const { data } = await sim.stripe.events.list({ type: 'customer.subscription.trial_will_end' });
    expect(data).toHaveLength(2);
    const past = sim.stripe.subscriptions.update(subscription.id, { trial_end: 5 });
    await expect(past).rejects.toMatchObject({ param: 'trial_end' });
  });
});

describe('a change', () => {
  test('is announced with what was there before', async () => {
    const { subscription } = await subscribed(sim);
    await sim.stripe.subscriptions.update(subscription.id, { metadata: { a: '1' }, description: 'x' });
    await sim.stripe.subscriptions.update(subscription.id, { metadata: { a: '1' } });
    const { data } = await sim.stripe.events.list({ type: 'customer.subscription.updated' });
    expect(data.map((event) => event.data.previous_attributes)).toEqual([
      { metadata: {}, description: null },
    ]);
  });

  test('of the default card pays with it from then on', async () => {
    const { customer, subscription } = await subscribed(sim, { card: 'fails_at_renewal' });
    await sim.door.advance(32 * DAY_MS);
    const { id } = await sim.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await sim.stripe.subscriptions.update(subscription.id, { default_payment_method: id });
    expect((await retrieve(subscription.id)).status).toBe('past_due');
    const [open] = (await sim.stripe.invoices.list({ customer: customer.id, status: 'open' })).data;
    expect(await sim.stripe.invoices.pay(open?.id ?? '')).toMatchObject({ status: 'paid', attempt_count: 2 });
    expect((await retrieve(subscription.id)).status).toBe('active');
    await expect(sim.stripe.invoices.pay(open?.id ?? '')).rejects.toThrow('Invoice is already paid');
    const { data } = await sim.stripe.paymentMethods.list({ customer: customer.id });
    expect(data.map(({ card }) => card?.last4)).toEqual(['4242', '0341']);
  });

  test('of the clock back in time undoes nothing', async () => {
    const { subscription } = await subscribed(sim);
    await sim.door.advance(32 * DAY_MS);
    const renewed = JSON.stringify(await retrieve(subscription.id));
    await sim.door.setClock(0);
    expect(JSON.stringify(await retrieve(subscription.id))).toBe(renewed);
    await sim.door.setClock(33 * DAY_MS);
    expect((await sim.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2);
  });
});

describe('several subscriptions of one customer', () => {
  test('are each on the portal, and each gets its own way', async () => {
    const { customer, subscription: first } = await subscribed(sim);
    const second = await sim.door.plantSubscription({
      customer: customer.id,
      price: 'price_smartpause_yearly',
    });
    const { url } = await sim.stripe.billingPortal.sessions.create({ customer: customer.id });
    const portal = sim.door.portal(url);
    const { text } = await portal.page();
    expect([text.includes(first.id), text.includes(second.id)]).toEqual([true, true]);
    await portal.cancel(second.id);
    expect((await retrieve(first.id)).cancel_at).toBeNull();
    expect((await retrieve(second.id)).cancel_at).not.toBeNull();
  });
});
