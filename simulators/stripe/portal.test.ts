import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../scripts/outside/stripe.ts';
import { PORTAL_CONFIGURATION, PRICE_MONTHLY, PRICE_YEARLY, PRODUCT } from './seed.ts';
import { DAY, subscribed, useStripe } from './stripe.fixture.ts';

const sim = useStripe();
const RETURN_URL = 'http://localhost:3000/settings';

async function openPortal(customer: string, more: object = {}) {
  const { url } = await sim.stripe.billingPortal.sessions.create({
    customer,
    return_url: RETURN_URL,
    ...more,
  });
  return sim.door.portal(url);
}
const retrieve = (id: string) => sim.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });

describe('the portal', () => {
  test('shows the subscription, the invoices and the way back', async () => {
    const { customer } = await subscribed(sim);
    const { text } = await (await openPortal(customer.id)).page();
    for (const words of [
      '$29.00 per month',
      'Renews on',
      'Switch to $278.00 per year',
      'Cancel subscription',
      'paid',
      '4242',
    ])
      expect(text).toContain(words);
    expect(text).toContain(`href="${RETURN_URL}"`);
  });

  test('stops a subscription at its end as flexible billing does, and lets it go on', async () => {
    const { customer, subscription } = await subscribed(sim);
    const portal = await openPortal(customer.id);
    expect(await portal.cancel()).toMatchObject({ status: 303 });
    const stopped = await retrieve(subscription.id);
    expect(stopped).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: stopped.items.data[0]?.current_period_end,
      cancellation_details: { reason: 'cancellation_requested' },
    });
    expect(stopped.canceled_at).not.toBeNull();
    expect((await portal.page()).text).toContain('Cancels on');
    await portal.renew();
    expect(await retrieve(subscription.id)).toMatchObject({ cancel_at: null, canceled_at: null });
    await portal.cancel();
    await sim.door.advance(32 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: stopped.cancel_at,
    });
    expect((await portal.page()).text).toContain('There is no subscription.');
    expect((await portal.cancel(subscription.id)).text).toContain('This subscription has ended.');
  });

  test('stops a trial at its end', async () => {
    const { customer, subscription } = await subscribed(sim, { trialDays: 30 });
    await (await openPortal(customer.id)).cancel();
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'trialing',
      cancel_at: subscription.trial_end,
    });
    await sim.door.advance(31 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: subscription.trial_end,
    });
  });

  test('stops at once where it is configured to', async () => {
    await sim.stripe.billingPortal.configurations.update(PORTAL_CONFIGURATION, {
      features: { subscription_cancel: { enabled: true, mode: 'immediately' } },
    });
    const { customer, subscription } = await subscribed(sim);
    await (await openPortal(customer.id)).cancel();
    expect(await retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
  });

  test('shows only what is allowed', async () => {
    const configuration = await sim.stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
      default_return_url: 'http://localhost:3000/',
    });
    expect((await sim.stripe.billingPortal.configurations.list({ is_default: false })).data).toHaveLength(1);
    const { customer } = await subscribed(sim);
    const portal = await openPortal(customer.id, { configuration: configuration.id });
    const { text } = await portal.page();
    expect(text).toContain('Invoice history');
    for (const words of ['Switch to', 'Cancel subscription', 'Payment method'])
      expect(text).not.toContain(words);
    expect((await portal.changeCard('good')).text).toContain('Changing the card is not allowed here.');
  });

  test('opened for one thing shows nothing else, and goes back when it is done', async () => {
    const { customer, subscription } = await subscribed(sim);
    const portal = await openPortal(customer.id, {
      flow_data: {
        type: 'subscription_cancel',
        subscription_cancel: { subscription: subscription.id },
        after_completion: { type: 'redirect', redirect: { return_url: RETURN_URL } },
      },
    });
    const { text } = await portal.page();
    expect(text).toContain('Cancel subscription');
    expect(text).not.toContain('Invoice history');
    expect((await portal.cancel()).location).toBe(RETURN_URL);
    const card = await openPortal(customer.id, { flow_data: { type: 'payment_method_update' } });
    expect((await card.page()).text).not.toContain('Current subscription');
  });

  test('of a customer who is gone', async () => {
    const { customer } = await subscribed(sim);
    const portal = await openPortal(customer.id);
    await sim.stripe.customers.del(customer.id);
    expect((await portal.page()).status).toBe(404);
    await expect(openPortal(customer.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('another plan', () => {
  test('during the trial goes on with it, and costs nothing yet', async () => {
    const { customer, subscription } = await subscribed(sim, { trialDays: 30 });
    await (await openPortal(customer.id)).switchTo(PRICE_YEARLY);
    const switched = await retrieve(subscription.id);
    expect(switched).toMatchObject({ status: 'trialing', trial_end: subscription.trial_end });
    expect(switched.items.data[0]?.price.id).toBe(PRICE_YEARLY);
    expect((await sim.stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
    await sim.door.advance(31 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 27_800 },
    });
  });

  test('ends the trial unless the configuration says otherwise', async () => {
    await sim.stripe.billingPortal.configurations.update(PORTAL_CONFIGURATION, {
      features: { subscription_update: { trial_update_behavior: 'end_trial' } },
    });
    const { customer, subscription } = await subscribed(sim, { trialDays: 30 });
    await (await openPortal(customer.id)).switchTo(PRICE_YEARLY);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: { amount_paid: 27_800 },
    });
  });

  test('of another interval begins now, and what was not used is given back', async () => {
    const { customer, subscription } = await subscribed(sim);
    await sim.door.advance(15 * DAY_MS);
    const portal = await openPortal(customer.id);
    await portal.switchTo(PRICE_YEARLY);
    const yearly = await retrieve(subscription.id);
    const invoice = (await sim.stripe.invoices.list({ customer: customer.id, limit: 1 })).data[0];
    expect(invoice?.billing_reason).toBe('subscription_update');
    const [credit, full] = invoice?.lines.data ?? [];
    expect(full?.amount).toBe(27_800);
    expect(credit?.amount).toBeLessThan(-1000);
    expect(credit?.amount).toBeGreaterThan(-1600);
    expect(invoice?.amount_paid).toBe(27_800 + (credit?.amount ?? 0));
    const [item] = yearly.items.data;
    expect(item?.current_period_start).toBe(yearly.billing_cycle_anchor);
    expect((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)).toBeGreaterThanOrEqual(
      365 * DAY,
    );

    await portal.switchTo(PRICE_MONTHLY);
    const { balance } = (await sim.stripe.customers.retrieve(customer.id)) as { balance: number };
    expect(balance).toBeLessThan(-24_000);
    await sim.door.advance(32 * DAY_MS);
    expect(await retrieve(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: {
        total: 2900,
        amount_due: 0,
        starting_balance: balance,
        ending_balance: balance + 2900,
      },
    });
  });

  test('of the same interval is prorated on the next invoice, at once, or not at all', async () => {
    const dearer = await sim.stripe.prices.create({
      product: PRODUCT,
      currency: 'usd',
      unit_amount: 5800,
      recurring: { interval: 'month' },
    });
    const amounts: (number | undefined)[] = [];
    for (const proration of ['create_prorations', 'always_invoice', 'none'] as const) {
      const { customer, subscription } = await subscribed(sim);
      await sim.stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0]?.id ?? '', price: dearer.id }],
        proration_behavior: proration,
      });
      const [newest] = (await sim.stripe.invoices.list({ customer: customer.id })).data;
      amounts.push(newest?.total);
      await sim.door.advance(32 * DAY_MS);
      const { latest_invoice: next } = await retrieve(subscription.id);
      amounts.push((next as { total: number }).total);
    }
    expect(amounts).toEqual([2900, 8700, 2900, 5800, 2900, 5800]);
  });

  test('that is not offered is refused', async () => {
    const { customer } = await subscribed(sim);
    const portal = await openPortal(customer.id);
    expect((await portal.switchTo('price_x')).text).toContain('This plan is not available.');
  });
});
