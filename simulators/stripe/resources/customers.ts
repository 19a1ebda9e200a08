import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { endSubscription } from '../billing/end.ts';
import { invalid } from '../errors.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Customer } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import type { MetadataParam } from '../wire/params.ts';
import { emptyable, isWithin, metadata, range, text, withMetadata } from '../wire/params.ts';
import { attachTestCard } from './payment-methods.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const fields = {
  description: emptyable(text).optional(),
  email: emptyable(text).optional(),
  invoice_settings: z.strictObject({ default_payment_method: emptyable(text).optional() }).optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
  phone: emptyable(text).optional(),
};
const created = z.strictObject({ ...fields, payment_method: text.optional() });
const updated = z.strictObject(fields);
const listed = z.strictObject({ ...page, created: range.optional(), email: text.optional() });

interface CustomerParams {
  description?: string | null | undefined;
  email?: string | null | undefined;
  invoice_settings?: { default_payment_method?: string | null | undefined } | undefined;
  metadata?: MetadataParam | undefined;
  name?: string | null | undefined;
  payment_method?: string | undefined;
  phone?: string | null | undefined;
}

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', created, (params, { account }) => {
    requireAddress(params.email);
    return createCustomer(account, params);
  }),
  route('GET', '/v1/customers', listed, ({ created: within, email, ...asked }, { account, path }) => {
    const wanted = newestFirst(account.customers).filter(
      (customer) => (email === undefined || customer.email === email) && isWithin(customer.created, within),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/customers/:id', z.strictObject({}), (_, { account, id }) =>
    account.deletedCustomers.has(id) ? gone(id) : find(account.customers, 'customer', id),
  ),
  route('POST', '/v1/customers/:id', updated, (params, { account, id }) => {
    requireAddress(params.email);
    const customer = find(account.customers, 'customer', id);
    const defaultMethod = methodAsked(account, id, params);
    change(account, 'customer.updated', customer, {
      description: params.description === undefined ? customer.description : params.description,
      email: params.email === undefined ? customer.email : params.email,
      invoice_settings: {
        ...customer.invoice_settings,
        ...(defaultMethod === undefined ? {} : { default_payment_method: defaultMethod }),
      },
      metadata: withMetadata(customer.metadata, params.metadata),
      name: params.name === undefined ? (customer.name ?? null) : params.name,
      phone: params.phone === undefined ? (customer.phone ?? null) : params.phone,
    });
    return customer;
  }),
  route('DELETE', '/v1/customers/:id', z.strictObject({}), (_, { account, id }) => {
    deleteCustomer(account, find(account.customers, 'customer', id));
    return gone(id);
  }),
];

function requireAddress(email: string | null | undefined): void {
  if (email == null || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return;
  throw invalid(`Invalid email address: ${email}`, 'email', 'email_invalid');
}

export function createCustomer(account: Account, params: CustomerParams): Customer {
  const id = newId('cus');
  const customer: Customer = {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: account.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: id.slice(4, 12).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: withMetadata({}, params.metadata),
    name: params.name ?? null,
    next_invoice_sequence: 1,
    phone: params.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  account.customers.set(id, customer);
  emit(account, 'customer.created', customer);
  const attached =
    params.payment_method === undefined
      ? undefined
      : attachTestCard(account, params.payment_method, id, 'payment_method').id;
  const wanted = params.invoice_settings?.default_payment_method;
  if (attached !== undefined && wanted === params.payment_method)
    customer.invoice_settings.default_payment_method = attached;
  return customer;
}

function methodAsked(account: Account, customer: string, params: CustomerParams): string | null | undefined {
  const wanted = params.invoice_settings?.default_payment_method;
  if (typeof wanted !== 'string') return wanted;
  return attachTestCard(account, wanted, customer, 'invoice_settings[default_payment_method]').id;
}

/** Ends every subscription at once. What was billed stays. */
function deleteCustomer(account: Account, customer: Customer): void {
  for (const subscription of account.subscriptions.values()) {
    const isOver = subscription.status === 'canceled' || subscription.status === 'incomplete_expired';
    if (subscription.customer === customer.id && !isOver)
      endSubscription(account, subscription, 'cancellation_requested');
  }
  account.customers.delete(customer.id);
  account.deletedCustomers.add(customer.id);
  emit(account, 'customer.deleted', customer);
}

function gone(id: string): object {
  return { id, object: 'customer', deleted: true };
}
