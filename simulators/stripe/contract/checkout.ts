import { describe, expect, test } from 'vitest';
import type { Stand } from './stand.ts';

const URLS = {
  success_url: 'https://example.com/done?s={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://example.com/',
};

/** Checkout and the portal as far as calls reach; their pages need the simulator. */
export function describeCheckout(stand: () => Stand): void {
  const open = async (more: object = {}) => {
    const { stripe, customer, monthly } = stand();
    const { id } = await customer();
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: id,
      line_items: [{ price: monthly, quantity: 1 }],
      ...URLS,
      ...more,
    });
  };

  describe('a checkout session', () => {
    test('costs nothing today when there is a trial', async () => {
      const session = await open({ subscription_data: { trial_period_days: 30 } });
      expect(session).toMatchObject({
        status: 'open',
        mode: 'subscription',
        amount_total: 0,
        payment_status: 'no_payment_required',
        subscription: null,
        ui_mode: 'hosted_page',
      });
      expect(session.url).toMatch(/^https?:/);
      expect(session.expires_at - session.created).toBe(86_400);
    });

    test('costs the first period when there is none', async () => {
      expect(await open()).toMatchObject({ amount_total: 2900, currency: 'usd', payment_status: 'unpaid' });
    });

    test('is listed while it is open, and can be expired once', async () => {
      const { stripe } = stand();
      const { id, customer } = await open();
      const listed = async (): Promise<string[]> =>
        (await stripe.checkout.sessions.list({ customer: customer as string, status: 'open' })).data.map(
          (one) => one.id,
        );
      expect(await listed()).toEqual([id]);
      expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
      expect(await listed()).toEqual([]);
      await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
    });

    test('does not end within half an hour', async () => {
      const call = open({ expires_at: Math.floor(Date.now() / 1000) + 60 });
      await expect(call).rejects.toMatchObject({ statusCode: 400, param: 'expires_at' });
    });

    test('is refused for a price that is not there', async () => {
      const call = open({ line_items: [{ price: 'price_missing', quantity: 1 }] });
      await expect(call).rejects.toMatchObject({
        statusCode: 400,
        code: 'resource_missing',
        param: 'line_items[0][price]',
      });
    });
  });

  describe('the portal', () => {
    test('is opened by a configuration of its own', async () => {
      const { stripe, customer, product, monthly, yearly } = stand();
      const configuration = await stripe.billingPortal.configurations.create({
        features: {
          invoice_history: { enabled: true },
          subscription_cancel: { enabled: true },
          subscription_update: {
            enabled: true,
            default_allowed_updates: ['price'],
            products: [{ product, prices: [monthly, yearly] }],
          },
        },
      });
      expect(configuration.features).toMatchObject({
        payment_method_update: { enabled: false },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: { trial_update_behavior: 'end_trial' },
      });
      const session = await stripe.billingPortal.sessions.create({
        customer: (await customer()).id,
        configuration: configuration.id,
        return_url: 'https://example.com/settings',
      });
      expect(session).toMatchObject({
        configuration: configuration.id,
        return_url: 'https://example.com/settings',
      });
      expect(session.url).toMatch(/^https?:/);
      await stripe.billingPortal.configurations.update(configuration.id, { active: false });
    });
  });
}
