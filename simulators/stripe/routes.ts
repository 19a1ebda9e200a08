import { z } from 'zod';
import type { Account } from './account.ts';
import { DAY, newId } from './account.ts';
import type { Route } from './api.ts';
import { StripeError, find, flag, integer, limit, metadata, newest, route, text } from './api.ts';
import {
  ENDED,
  creditUnusedTime,
  endSubscription,
  expireSession,
  keepGoing,
  stopAtPeriodEnd,
} from './billing.ts';
import type {
  CheckoutSession,
  Customer,
  PortalConfiguration,
  Price,
  Product,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';

/** The parameters of a call that takes none. */
const none = z.strictObject({});
const on = z.literal('true', 'only true is simulated').transform(() => true);
const enabled = z.strictObject({ enabled: on });

const productParams = z.strictObject({ name: text, description: text.optional(), metadata });
const priceParams = z.strictObject({
  currency: text,
  lookup_key: text.optional(),
  product: text,
  recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
  transfer_lookup_key: flag.default(false),
  unit_amount: integer,
});
const customerParams = z.strictObject({ email: text.optional(), metadata, name: text.optional() });
const checkoutParams = z.strictObject({
  adaptive_pricing: z.strictObject({ enabled: flag }).default({ enabled: true }),
  allowed_payment_method_types: z.array(z.literal('card', 'only cards are simulated')),
  cancel_url: z.url(),
  client_reference_id: text,
  customer: text,
  line_items: z.array(z.strictObject({ price: text, quantity: z.literal('1', 'only 1 is simulated') })),
  metadata,
  mode: z.literal('subscription', 'only subscription is simulated'),
  subscription_data: z.strictObject({
    metadata,
    trial_period_days: integer.pipe(z.number().min(1)).optional(),
    trial_settings: z
      .strictObject({
        end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice']) }),
      })
      .optional(),
  }),
  success_url: text,
});
const portalParams = z.strictObject({
  default_return_url: text.optional(),
  features: z.strictObject({
    customer_update: z.strictObject({
      allowed_updates: z.array(z.enum(['address', 'email', 'tax_id'])),
      enabled: on,
    }),
    invoice_history: enabled,
    payment_method_update: enabled,
    subscription_cancel: z.strictObject({ enabled: on, mode: z.literal('at_period_end') }),
    subscription_update: z.strictObject({
      default_allowed_updates: z.array(z.literal('price')),
      enabled: on,
      products: z.array(z.strictObject({ prices: z.array(text), product: text })).min(1),
      // Between intervals Stripe always charges at once, so only the default is simulated.
      proration_behavior: z.literal('create_prorations'),
      trial_update_behavior: z.literal('continue_trial'),
    }),
  }),
  metadata,
});
const endpointEvents = z.array(text).min(1);

const catalog: Route[] = [
  route('POST /v1/products', productParams, (params, { account }) => createProduct(account, params)),
  route('POST /v1/prices', priceParams, (params, { account }) => createPrice(account, params)),
  route(
    'GET /v1/prices',
    z.strictObject({ limit, active: flag.optional(), lookup_keys: z.array(text).optional() }),
    ({ lookup_keys: keys, ...asked }, { account, path }) =>
      newest(account.prices, { ...asked, path }, (price) => keys?.includes(price.lookup_key ?? '') ?? true),
  ),
  route('GET /v1/payment_method_configurations', none, (_, { account, path }) => {
    const card = { available: account.takesCards };
    const data = [{ id: 'pmc_smartpause', object: 'payment_method_configuration', card, is_default: true }];
    return { object: 'list', data, has_more: false, url: path };
  }),
  route('GET /v1/prices/:id', none, (_, { account, id }) => find(account.prices, 'price', id)),
];

const customers: Route[] = [
  route('POST /v1/customers', customerParams, ({ email = null, name = null, ...params }, { account }) => {
    if (email !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
      throw new StripeError(400, `Invalid email address: ${email}`, {
        code: 'email_invalid',
        param: 'email',
      });
    const customer: Customer = {
      id: newId('cus'),
      object: 'customer',
      balance: 0,
      created: account.now(),
      email,
      livemode: false,
      name,
      ...params,
    };
    account.customers.set(customer.id, customer);
    account.emit('customer.created', customer);
    return customer;
  }),
  route('GET /v1/customers/:id', none, (_, { account, id }) =>
    account.deletedCustomers.has(id) ? goneCustomer(id) : find(account.customers, 'customer', id),
  ),
  route('DELETE /v1/customers/:id', none, (_, { account, id }) => {
    const customer = find(account.customers, 'customer', id);
    for (const subscription of account.subscriptions.values())
      if (subscription.customer === id && !ENDED.includes(subscription.status))
        endSubscription(account, subscription);
    account.customers.delete(id);
    account.deletedCustomers.add(id);
    account.emit('customer.deleted', customer);
    return goneCustomer(id);
  }),
  route('GET /v1/invoices', z.strictObject({ limit, customer: text }), (asked, { account, path }) =>
    newest(account.invoices, { ...asked, path }, ({ customer }) => customer === asked.customer),
  ),
  route('GET /v1/charges/:id', none, (_, { account, id }) => ({
    ...find(account.invoices, 'charge', id.replace('ch_', '')),
    ...{ id, object: 'charge' },
  })),
];

function goneCustomer(id: string): object {
  return { id, object: 'customer', deleted: true };
}

const checkoutSessions: Route[] = [
  route('POST /v1/checkout/sessions', checkoutParams, (params, { account, base }) => {
    const price = find(account.prices, 'price', params.line_items[0]?.price ?? '', 'line_items[0][price]');
    find(account.customers, 'customer', params.customer, 'customer');
    const { adaptive_pricing, allowed_payment_method_types, cancel_url, success_url } = params;
    const { trial_period_days: trialDays, trial_settings: trial, metadata: given } = params.subscription_data;
    const missingPaymentMethod = trial?.end_behavior.missing_payment_method ?? 'create_invoice';
    const id = newId('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      ...{ adaptive_pricing, allowed_payment_method_types, cancel_url, success_url },
      amount_total: trialDays === undefined ? price.unit_amount : 0,
      created: account.now(),
      customer: params.customer,
      expires_at: account.now() + DAY,
      livemode: false,
      metadata: params.metadata,
      mode: 'subscription',
      status: 'open',
      subscription: null,
      url: `${base}/c/pay/${id}`,
    };
    account.checkoutSessions.set(id, session);
    account.purchases.set(id, { price, trialDays, metadata: given, missingPaymentMethod });
    return session;
  }),
  route(
    'GET /v1/checkout/sessions',
    z.strictObject({ limit, customer: text, status: z.enum(['complete', 'expired', 'open']).optional() }),
    (asked, { account, path }) =>
      newest(
        account.checkoutSessions,
        { limit: asked.limit, path },
        ({ customer, status }) => customer === asked.customer && status === (asked.status ?? status),
      ),
  ),
  route('GET /v1/checkout/sessions/:id', none, (_, { account, id }) =>
    find(account.checkoutSessions, 'checkout.session', id),
  ),
  route('POST /v1/checkout/sessions/:id/expire', none, (_, { account, id }) => {
    const session = find(account.checkoutSessions, 'checkout.session', id);
    if (session.status !== 'open')
      throw new StripeError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
    expireSession(account, session);
    return session;
  }),
];

const subscriptions: Route[] = [
  route(
    'GET /v1/subscriptions',
    z.strictObject({
      limit,
      customer: text,
      status: z.literal('all'),
      expand: z.tuple([z.literal('data.latest_invoice')]).optional(),
    }),
    (asked, { account, path, base }) => {
      const { customer } = asked;
      if (!account.deletedCustomers.has(customer)) find(account.customers, 'customer', customer, 'customer');
      const list = newest(
        account.subscriptions,
        { limit: asked.limit, path },
        (one) => one.customer === customer,
      );
      if (asked.expand === undefined) return list;
      return { ...list, data: list.data.map((one) => withInvoice(account, one, base)) };
    },
  ),
  route(
    'POST /v1/subscriptions/:id',
    z.strictObject({
      cancel_at_period_end: flag.optional(),
      metadata,
      // Empty: collection goes on.
      pause_collection: z.union([z.literal(''), z.strictObject({ behavior: z.literal('void') })]).optional(),
    }),
    (params, { account, id }) => {
      const subscription = find(account.subscriptions, 'subscription', id);
      const { pause_collection: pause = subscription.pause_collection } = params;
      account.change('customer.subscription.updated', subscription, {
        metadata: { ...subscription.metadata, ...params.metadata },
        pause_collection:
          pause === '' || pause === null ? null : { behavior: pause.behavior, resumes_at: null },
      });
      if (params.cancel_at_period_end === true) stopAtPeriodEnd(account, subscription, 'api');
      if (params.cancel_at_period_end === false) keepGoing(account, subscription);
      return subscription;
    },
  ),
  route(
    'DELETE /v1/subscriptions/:id',
    z.strictObject({ invoice_now: flag.default(false), prorate: flag.default(false) }),
    ({ prorate }, { account, id }) => {
      const subscription = find(account.subscriptions, 'subscription', id);
      if (ENDED.includes(subscription.status)) return find(new Map<string, object>(), 'subscription', id);
      if (prorate) creditUnusedTime(account, subscription);
      Object.assign(subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: null });
      endSubscription(account, subscription);
      return subscription;
    },
  ),
];

function withInvoice(account: Account, subscription: Subscription, base: string): object {
  const invoice = account.invoices.get(subscription.latest_invoice ?? '');
  const latest_invoice = invoice && { ...invoice, hosted_invoice_url: `${base}/i/${invoice.id}` };
  return { ...subscription, latest_invoice: latest_invoice ?? null };
}

const portal: Route[] = [
  route('POST /v1/billing_portal/configurations', portalParams, (params, { account }) =>
    createConfiguration(account, params),
  ),
  route(
    'GET /v1/billing_portal/configurations',
    z.strictObject({ active: flag.optional(), limit }),
    (asked, { account, path }) => newest(account.portalConfigurations, { limit: asked.limit, path }),
  ),
  route('POST /v1/billing_portal/configurations/:id', portalParams, (params, { account, id }) =>
    Object.assign(find(account.portalConfigurations, 'configuration', id), params),
  ),
  route(
    'POST /v1/billing_portal/sessions',
    z.strictObject({ configuration: text, customer: text, return_url: text }),
    (params, { account, base }) => {
      find(account.customers, 'customer', params.customer, 'customer');
      find(account.portalConfigurations, 'configuration', params.configuration, 'configuration');
      const id = newId('bps');
      const created = { id, object: 'billing_portal.session', created: account.now() } as const;
      const session = { ...created, ...params, livemode: false, url: `${base}/p/session/${id}` };
      account.portalSessions.set(id, session);
      return session;
    },
  ),
];

const webhookEndpoints: Route[] = [
  route(
    'POST /v1/webhook_endpoints',
    z.strictObject({ api_version: text.optional(), enabled_events: endpointEvents, url: z.url() }),
    ({ enabled_events, url }, { account }) =>
      createEndpoint(account, { enabled_events, url, secret: newId('whsec') }),
  ),
  route('GET /v1/webhook_endpoints', z.strictObject({ limit }), (asked, { account, path }) => {
    const list = newest(account.endpoints, { limit: asked.limit, path });
    return { ...list, data: list.data.map((endpoint) => ({ ...endpoint, secret: undefined })) };
  }),
  route(
    'POST /v1/webhook_endpoints/:id',
    z.strictObject({ disabled: flag, enabled_events: endpointEvents }),
    ({ disabled, enabled_events }, { account, id }) => {
      const status = disabled ? 'disabled' : 'enabled';
      const endpoint = find(account.endpoints, 'webhook endpoint', id);
      return { ...Object.assign(endpoint, { enabled_events, status }), secret: undefined };
    },
  ),
];

/** Every call of the API that SmartPause or its tests make. */
export const ROUTES: readonly Route[] = [
  ...catalog,
  ...customers,
  ...checkoutSessions,
  ...subscriptions,
  ...portal,
  ...webhookEndpoints,
];

function createProduct(account: Account, params: z.infer<typeof productParams>, id = newId('prod')): Product {
  const fixed = { id, object: 'product', active: true, created: account.now(), livemode: false } as const;
  const product = { ...fixed, ...params, description: params.description ?? null };
  account.products.set(id, product);
  return product;
}

/** A lookup key belongs to one price; it moves only on request. */
function createPrice(account: Account, params: z.infer<typeof priceParams>, id = newId('price')): Price {
  const { lookup_key = null, transfer_lookup_key: mayTransfer, recurring, ...given } = params;
  find(account.products, 'product', params.product, 'product');
  const holder = [...account.prices.values()].find((price) => price.lookup_key === lookup_key);
  if (holder !== undefined && lookup_key !== null) {
    const details = { param: 'lookup_key', code: 'resource_already_exists' };
    if (!mayTransfer) throw new StripeError(400, 'A price already uses that lookup key.', details);
    holder.lookup_key = null;
  }
  const price: Price = {
    id,
    object: 'price',
    active: true,
    created: account.now(),
    livemode: false,
    lookup_key,
    recurring: { ...recurring, interval_count: 1 },
    type: 'recurring',
    ...given,
  };
  account.prices.set(id, price);
  return price;
}

function createConfiguration(
  account: Account,
  params: z.infer<typeof portalParams>,
  id = newId('bpc'),
): PortalConfiguration {
  const fixed = { id, object: 'billing_portal.configuration', active: true, livemode: false } as const;
  const configuration = { ...fixed, ...params, default_return_url: params.default_return_url ?? null };
  account.portalConfigurations.set(id, configuration);
  return configuration;
}

/** The secret is shown once, in the response to the creation. */
export function createEndpoint(
  account: Account,
  given: Pick<WebhookEndpoint, 'enabled_events' | 'url'> & { secret: string },
): WebhookEndpoint & { secret: string } {
  const fixed = { object: 'webhook_endpoint', livemode: false, status: 'enabled' } as const;
  const endpoint = { id: newId('we'), created: account.now(), ...fixed, ...given };
  account.endpoints.set(endpoint.id, endpoint);
  return endpoint;
}

const PRODUCT = 'prod_smartpause';
export const PRICE_MONTHLY = 'price_smartpause_monthly';
export const PRICE_YEARLY = 'price_smartpause_yearly';
export const PORTAL_CONFIGURATION = 'bpc_smartpause';

/** A configured account: a product, its two prices, and a portal that allows everything. */
export function seed(account: Account): void {
  createProduct(account, { name: 'SmartPause', metadata: {} }, PRODUCT);
  for (const [id, interval, unit_amount] of [
    [PRICE_MONTHLY, 'month', 2900],
    [PRICE_YEARLY, 'year', 27_800],
  ] as const) {
    const fixed = { product: PRODUCT, currency: 'usd', transfer_lookup_key: false };
    const lookup_key = id.replace('price_', '');
    createPrice(account, { ...fixed, lookup_key, unit_amount, recurring: { interval } }, id);
  }
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
