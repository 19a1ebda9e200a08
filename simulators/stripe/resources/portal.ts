import { z } from 'zod';
import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { PortalConfiguration, PortalSession } from '../objects.ts';
import { limit, newest } from '../wire/lists.ts';
import { flag, metadata, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const on = z.literal('true', 'only true is simulated').transform(() => true);
const enabled = z.strictObject({ enabled: on });
const features = z.strictObject({
  customer_update: z.strictObject({
    allowed_updates: z.array(z.enum(['address', 'email', 'tax_id'])),
    enabled: on,
  }),
  invoice_history: enabled,
  payment_method_update: enabled,
  subscription_cancel: z.strictObject({
    enabled: on,
    mode: z.literal('at_period_end', 'only at_period_end is simulated'),
  }),
  subscription_update: z.strictObject({
    default_allowed_updates: z.array(z.literal('price', 'only price is simulated')),
    enabled: on,
    products: z.array(z.strictObject({ prices: z.array(text), product: text })).min(1),
    // Between intervals Stripe always charges at once, so only the default is simulated.
    proration_behavior: z.literal('create_prorations', 'only create_prorations is simulated'),
    trial_update_behavior: z.literal('continue_trial', 'only continue_trial is simulated'),
  }),
});
const configurationParams = z.strictObject({ default_return_url: text.optional(), features, metadata });
type ConfigurationParams = z.infer<typeof configurationParams>;
const listed = z.strictObject({ active: flag.optional(), limit });
const sessionParams = z.strictObject({ configuration: text, customer: text, return_url: text });

export const portalRoutes: Route[] = [
  route('POST', '/v1/billing_portal/configurations', configurationParams, (params, { account }) =>
    createConfiguration(account, params),
  ),
  route('GET', '/v1/billing_portal/configurations', listed, ({ active, limit: size }, { account, path }) =>
    newest(account.portalConfigurations, { size, path }, (one) => one.active === (active ?? one.active)),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', configurationParams, (params, { account, id }) => {
    const found = find(account.portalConfigurations, 'configuration', id);
    change(account, 'billing_portal.configuration.updated', found, {
      default_return_url: params.default_return_url ?? found.default_return_url,
      features: readFeatures(account, params.features),
      metadata: { ...found.metadata, ...params.metadata },
      updated: account.now(),
    });
    return found;
  }),
  route('POST', '/v1/billing_portal/sessions', sessionParams, (params, { account, base }) => {
    find(account.customers, 'customer', params.customer, 'customer');
    find(account.portalConfigurations, 'configuration', params.configuration, 'configuration');
    const id = newId('bps');
    const session: PortalSession = {
      id,
      object: 'billing_portal.session',
      ...params,
      created: account.now(),
      livemode: false,
      url: `${base}/p/session/${id}`,
    };
    account.portalSessions.set(id, session);
    emit(account, 'billing_portal.session.created', session);
    return session;
  }),
];

/** The first configuration of an account is its default. */
export function createConfiguration(
  account: Account,
  params: ConfigurationParams,
  id = newId('bpc'),
): PortalConfiguration {
  const now = account.now();
  const configuration: PortalConfiguration = {
    id,
    object: 'billing_portal.configuration',
    active: true,
    created: now,
    default_return_url: params.default_return_url ?? null,
    features: readFeatures(account, params.features),
    is_default: account.portalConfigurations.size === 0,
    livemode: false,
    metadata: params.metadata,
    updated: now,
  };
  account.portalConfigurations.set(id, configuration);
  emit(account, 'billing_portal.configuration.created', configuration);
  return configuration;
}

function readFeatures(
  account: Account,
  given: ConfigurationParams['features'],
): PortalConfiguration['features'] {
  const products = given.subscription_update.products.map(({ prices, product }) => {
    const param = 'features[subscription_update][products][0]';
    find(account.products, 'product', product, `${param}[product]`);
    for (const price of prices) find(account.prices, 'price', price, `${param}[prices]`);
    return { adjustable_quantity: { enabled: false, maximum: null, minimum: 1 }, prices, product };
  });
  return {
    customer_update: given.customer_update,
    invoice_history: given.invoice_history,
    payment_method_update: { ...given.payment_method_update, payment_method_configuration: null },
    subscription_cancel: {
      ...given.subscription_cancel,
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      ...given.subscription_update,
      billing_cycle_anchor: 'unchanged',
      products,
      schedule_at_period_end: { conditions: [] },
    },
  };
}
