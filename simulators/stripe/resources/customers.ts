import { z } from 'zod';
import type { Account } from '../account.ts';
import { ENDED, endSubscription } from '../billing/end.ts';
import { invalid } from '../errors.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Customer } from '../objects.ts';
import { nulls } from '../objects.ts';
import { metadata, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, none, route } from './route.ts';

const created = z.strictObject({ email: text.optional(), metadata, name: text.optional() });

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', created, (params, { account }) => {
    const { email } = params;
    if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
      throw invalid(`Invalid email address: ${email}`, 'email', 'email_invalid');
    const customer = newCustomer(account, params);
    account.customers.set(customer.id, customer);
    emit(account, 'customer.created', customer);
    return customer;
  }),
  route('GET', '/v1/customers/:id', none, (_, { account, id }) =>
    account.deletedCustomers.has(id) ? gone(id) : find(account.customers, 'customer', id),
  ),
  route('DELETE', '/v1/customers/:id', none, (_, { account, id }) => {
    deleteCustomer(account, find(account.customers, 'customer', id));
    return gone(id);
  }),
];

function newCustomer(account: Account, params: z.infer<typeof created>): Customer {
  const id = newId('cus');
  return {
    id,
    object: 'customer',
    balance: 0,
    created: account.now(),
    email: params.email ?? null,
    invoice_prefix: id.slice(4, 12).toUpperCase(),
    invoice_settings: nulls('custom_fields default_payment_method footer rendering_options'),
    livemode: false,
    metadata: params.metadata,
    name: params.name ?? null,
    next_invoice_sequence: 1,
  };
}

/** Ends every subscription at once. Invoices stay. */
function deleteCustomer(account: Account, customer: Customer): void {
  for (const subscription of account.subscriptions.values())
    if (subscription.customer === customer.id && !ENDED.includes(subscription.status))
      endSubscription(account, subscription, 'cancellation_requested');
  account.customers.delete(customer.id);
  account.deletedCustomers.add(customer.id);
  emit(account, 'customer.deleted', customer);
}

function gone(id: string): object {
  return { id, object: 'customer', deleted: true };
}
