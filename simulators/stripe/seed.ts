import type { Account } from './account.ts';
import { createPrice, createProduct } from './resources/catalog.ts';
import { createConfiguration } from './resources/portal.ts';

const PRODUCT = 'prod_smartpause';
export const PRICE_MONTHLY = 'price_smartpause_monthly';
export const PRICE_YEARLY = 'price_smartpause_yearly';
export const PORTAL_CONFIGURATION = 'bpc_smartpause';

/** A configured account: a product, its two prices, and a portal that allows everything. */
export function seed(account: Account): void {
  createProduct(account, { name: 'SmartPause', metadata: {} }, PRODUCT);
  const plan = (id: string, interval: 'month' | 'year', amount: number) =>
    createPrice(
      account,
      {
        product: PRODUCT,
        currency: 'usd',
        lookup_key: id.replace('price_', ''),
        transfer_lookup_key: false,
        unit_amount: amount,
        recurring: { interval },
      },
      id,
    );
  plan(PRICE_MONTHLY, 'month', 2900);
  plan(PRICE_YEARLY, 'year', 27_800);
  const features = {
    customer_update: { enabled: true, allowed_updates: ['email' as const] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: 'at_period_end' as const },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price' as const],
      products: [{ product: PRODUCT, prices: [PRICE_MONTHLY, PRICE_YEARLY] }],
      proration_behavior: 'create_prorations' as const,
      trial_update_behavior: 'continue_trial' as const,
    },
  };
  createConfiguration(account, { features, metadata: {} }, PORTAL_CONFIGURATION);
}
