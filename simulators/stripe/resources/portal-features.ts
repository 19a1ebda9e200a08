import { z } from 'zod';
import type { Account } from '../account.ts';
import { invalid } from '../errors.ts';
import type { PortalConfiguration } from '../objects.ts';
import { emptyable, flag, text } from '../wire/params.ts';
import { find } from './route.ts';

const PRORATIONS = ['always_invoice', 'create_prorations', 'none'] as const;
const REASONS = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;

export const portalFeatures = z.strictObject({
  customer_update: z
    .strictObject({
      allowed_updates: emptyable(
        z.array(z.enum(['address', 'email', 'name', 'phone', 'shipping', 'tax_id'])),
      ).optional(),
      enabled: flag.optional(),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: flag }).optional(),
  payment_method_update: z.strictObject({ enabled: flag }).optional(),
  subscription_cancel: z
    .strictObject({
      cancellation_reason: z
        .strictObject({ enabled: flag, options: emptyable(z.array(z.enum(REASONS))).optional() })
        .optional(),
      enabled: flag.optional(),
      mode: z.enum(['at_period_end', 'immediately']).optional(),
      proration_behavior: z.enum(PRORATIONS).optional(),
    })
    .optional(),
  subscription_update: z
    .strictObject({
      billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
      default_allowed_updates: emptyable(z.array(z.enum(['price', 'promotion_code', 'quantity']))).optional(),
      enabled: flag.optional(),
      products: emptyable(z.array(z.strictObject({ prices: z.array(text), product: text }))).optional(),
      proration_behavior: z.enum(PRORATIONS).optional(),
      trial_update_behavior: z.enum(['continue_trial', 'end_trial']).optional(),
    })
    .optional(),
});

type Features = PortalConfiguration['features'];

/** What was asked for, over what was there, over what Stripe takes for granted: all of it switched off. */
export function readFeatures(
  account: Account,
  params: z.infer<typeof portalFeatures>,
  before: Features = SWITCHED_OFF,
): Features {
  const { customer_update: customer, subscription_cancel: cancel, subscription_update: update } = params;
  const { cancellation_reason: reason, ...cancelRest } = cancel ?? {};
  const { products, default_allowed_updates: allowed, ...updateRest } = update ?? {};
  const features: Features = {
    customer_update: {
      enabled: customer?.enabled ?? before.customer_update.enabled,
      allowed_updates: customer?.allowed_updates ?? before.customer_update.allowed_updates,
    },
    invoice_history: { ...before.invoice_history, ...params.invoice_history },
    payment_method_update: { ...before.payment_method_update, ...params.payment_method_update },
    subscription_cancel: {
      ...before.subscription_cancel,
      ...defined(cancelRest),
      cancellation_reason: {
        ...before.subscription_cancel.cancellation_reason,
        ...(reason === undefined ? {} : { enabled: reason.enabled, options: reason.options ?? [] }),
      },
    },
    subscription_pause: before.subscription_pause,
    subscription_update: {
      ...before.subscription_update,
      ...defined(updateRest),
      default_allowed_updates:
        allowed === undefined ? before.subscription_update.default_allowed_updates : (allowed ?? []),
      products:
        products === undefined
          ? (before.subscription_update.products ?? [])
          : productsOf(account, products ?? []),
    },
  };
  if (features.subscription_update.enabled && (features.subscription_update.products ?? []).length === 0)
    throw invalid(
      'You must provide at least one product when `subscription_update` is enabled.',
      'features[subscription_update][products]',
    );
  return features;
}

function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function productsOf(account: Account, products: { prices: string[]; product: string }[]) {
  return products.map(({ prices, product }) => {
    find(account.products, 'product', product, 'features[subscription_update][products][0][product]');
    for (const price of prices)
      find(account.prices, 'price', price, 'features[subscription_update][products][0][prices]');
    return { adjustable_quantity: { enabled: false, maximum: null, minimum: 1 }, prices, product };
  });
}

const SWITCHED_OFF: Features = {
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
  },
  subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: 'unchanged',
    default_allowed_updates: [],
    enabled: false,
    products: [],
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
};
