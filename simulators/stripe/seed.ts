import type { Account } from './account.ts';
import { createConfiguration } from './resources/portal-configurations.ts';
import { createPrice } from './resources/prices.ts';
import { createProduct } from './resources/products.ts';

export const PRODUCT = 'prod_smartpause';
export const PRICE_MONTHLY = 'price_smartpause_monthly';
export const PRICE_YEARLY = 'price_smartpause_yearly';
export const PORTAL_CONFIGURATION = 'bpc_smartpause';

/** An account that has been set up: a product, its two prices, a portal in which everything is allowed. */
export function seed(account: Account): void {
  createProduct(account, { id: PRODUCT, name: 'SmartPause' });
  const plan = (id: string, interval: 'month' | 'year', amount: number): void => {
    const key = id.replace('price_', '');
    const params = {
      product: PRODUCT,
      currency: 'usd',
      lookup_key: key,
      unit_amount: amount,
      recurring: { interval },
    };
    createPrice(account, params, id);
  };
  plan(PRICE_MONTHLY, 'month', 2900);
  plan(PRICE_YEARLY, 'year', 27_800);
  const features = {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price' as const],
      products: [{ product: PRODUCT, prices: [PRICE_MONTHLY, PRICE_YEARLY] }],
      proration_behavior: 'always_invoice' as const,
      trial_update_behavior: 'continue_trial' as const,
    },
  };
  createConfiguration(account, { features, name: 'SmartPause' }, PORTAL_CONFIGURATION);
}
