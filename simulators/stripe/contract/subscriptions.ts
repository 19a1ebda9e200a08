import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import type { Stand } from './stand.ts';
import { periodOf } from './stand.ts';

const EXPAND = { expand: ['latest_invoice'] };

/** A subscription's life as far as it can be seen without moving the clock. */
export function describeSubscriptions(stand: () => Stand): void {
  const subscribe = async (more: Partial<Stripe.SubscriptionCreateParams> = {}) => {
    const { stripe, customer, monthly } = stand();
    const paying = await customer({
      payment_method: 'pm_card_visa',
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    return stripe.subscriptions.create({
      customer: paying.id,
      items: [{ price: monthly }],
      ...EXPAND,
      ...more,
    });
  };
  const switchTo = (
    subscription: Stripe.Subscription,
    price: string,
    more: Stripe.SubscriptionUpdateParams = {},
  ) =>
    stand().stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price }],
      ...EXPAND,
      ...more,
    });

  describe('a new subscription', () => {
    test('with a trial has an invoice of nothing, paid, and a period as long as the trial', async () => {
      const subscription = await subscribe({ trial_period_days: 30 });
      expect(subscription).toMatchObject({
        status: 'trialing',
        billing_mode: { type: 'flexible' },
        latest_invoice: { status: 'paid', total: 0, billing_reason: 'subscription_create' },
      });
      expect((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0)).toBe(30 * 86_400);
      expect(periodOf(subscription).end).toBe(subscription.trial_end);
      expect(subscription.billing_cycle_anchor).toBe(subscription.trial_end);
    });

    test('without one is active and paid', async () => {
      expect(await subscribe()).toMatchObject({
        status: 'active',
        trial_end: null,
        latest_invoice: { status: 'paid', amount_paid: 2900, attempt_count: 1 },
      });
    });

    test('whose payment fails is incomplete', async () => {
      const { stripe, customer, monthly } = stand();
      const { id } = await customer();
      const { id: card } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: id });
      const subscription = await stripe.subscriptions.create({
        customer: id,
        items: [{ price: monthly }],
        default_payment_method: card,
        ...EXPAND,
      });
      expect(subscription).toMatchObject({ status: 'incomplete', latest_invoice: { status: 'open' } });
    });
  });

  describe('a scheduled end', () => {
    test('by cancel_at_period_end, and back', async () => {
      const { stripe } = stand();
      const { id } = await subscribe({ trial_period_days: 30 });
      const marked = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      expect(marked).toMatchObject({ status: 'trialing', cancel_at_period_end: true, ended_at: null });
      expect(marked.canceled_at).not.toBeNull();
      const cleared = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
      expect(cleared).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    });

    test('by cancel_at, and back; never by both at once', async () => {
      const { stripe } = stand();
      const { id, trial_end: end } = await subscribe({ trial_period_days: 30 });
      const marked = await stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
      expect(marked).toMatchObject({ cancel_at: end, cancel_at_period_end: false });
      expect(await stripe.subscriptions.update(id, { cancel_at: '' })).toMatchObject({ cancel_at: null });
      const both = stripe.subscriptions.update(id, { cancel_at: '', cancel_at_period_end: false });
      await expect(both).rejects.toMatchObject({ statusCode: 400 });
    });
  });

  describe('an end at once', () => {
    test('leaves a subscription that is listed only on request and takes no changes', async () => {
      const { stripe } = stand();
      const { id, customer } = await subscribe({ trial_period_days: 30 });
      const ended = await stripe.subscriptions.cancel(id);
      expect(ended).toMatchObject({
        status: 'canceled',
        cancellation_details: { reason: 'cancellation_requested' },
      });
      expect(ended.ended_at).not.toBeNull();
      const listed = async (more: object): Promise<string[]> =>
        (await stripe.subscriptions.list({ customer: customer as string, ...more })).data.map(
          (one) => one.id,
        );
      expect([await listed({}), await listed({ status: 'all' })]).toEqual([[], [id]]);
      const update = stripe.subscriptions.update(id, { cancel_at_period_end: true });
      await expect(update).rejects.toMatchObject({ statusCode: 400 });
      await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({
        statusCode: 404,
        code: 'resource_missing',
      });
    });

    test('comes to every subscription of a customer who is deleted', async () => {
      const { stripe } = stand();
      const { id, customer } = await subscribe();
      await stripe.customers.del(customer as string);
      expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    });
  });

  describe('another price', () => {
    test('during a trial leaves the trial as it is and bills nothing', async () => {
      const before = await subscribe({ trial_period_days: 30 });
      const after = await switchTo(before, stand().yearly);
      expect(after).toMatchObject({ status: 'trialing', trial_end: before.trial_end });
      expect(after.items.data[0]?.price.id).toBe(stand().yearly);
      expect((after.latest_invoice as Stripe.Invoice).id).toBe((before.latest_invoice as Stripe.Invoice).id);
    });

    test('of another interval starts a period now, and charges it less what was not used', async () => {
      const before = await subscribe();
      const after = await switchTo(before, stand().yearly);
      const invoice = after.latest_invoice as Stripe.Invoice;
      expect(invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' });
      expect(invoice.total).toBeGreaterThanOrEqual(27_800 - 2900);
      expect(invoice.total).toBeLessThan(27_800);
      expect(periodOf(after).end - periodOf(after).start).toBeGreaterThanOrEqual(365 * 86_400);
    });
  });
}
