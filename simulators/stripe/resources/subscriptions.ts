import { z } from 'zod';
import {
  ENDED,
  cancellation,
  creditUnusedTime,
  keepGoing,
  stopAtPeriodEnd,
  stopNow,
} from '../billing/end.ts';
import { invalid, noSuch } from '../errors.ts';
import { change } from '../events.ts';
import { limit, newest } from '../wire/lists.ts';
import { flag, metadata, text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const listed = z.strictObject({ limit, customer: text, status: z.literal('all').optional() });
const updated = z.strictObject({ cancel_at_period_end: flag.optional(), metadata });
const canceled = z.strictObject({ invoice_now: flag.default(false), prorate: flag.default(false) });
const invoices = z.strictObject({ limit, customer: text });

export const subscriptionRoutes: Route[] = [
  route('GET', '/v1/subscriptions', listed, ({ customer, status, limit: size }, { account, path }) => {
    if (!account.deletedCustomers.has(customer)) find(account.customers, 'customer', customer, 'customer');
    return newest(
      account.subscriptions,
      { size, path },
      (one) => one.customer === customer && (status === 'all' || one.status !== 'canceled'),
    );
  }),
  route('POST', '/v1/subscriptions/:id', updated, (params, { account, id }) => {
    const subscription = find(account.subscriptions, 'subscription', id);
    const { cancel_at_period_end: ends } = params;
    if (ends !== undefined && ENDED.includes(subscription.status))
      throw invalid(
        'A canceled subscription can only update its cancellation_details and metadata.',
        'cancel_at_period_end',
        'invalid_canceled_subscription_fields',
      );
    change(account, 'customer.subscription.updated', subscription, {
      metadata: { ...subscription.metadata, ...params.metadata },
    });
    if (ends === true) stopAtPeriodEnd(account, subscription, 'api');
    if (ends === false) keepGoing(account, subscription);
    return subscription;
  }),
  route('DELETE', '/v1/subscriptions/:id', canceled, ({ prorate, invoice_now: now }, { account, id }) => {
    if (prorate !== now)
      throw invalid('Only both or none of prorate and invoice_now is simulated.', 'prorate');
    const subscription = find(account.subscriptions, 'subscription', id);
    if (ENDED.includes(subscription.status)) throw noSuch('subscription', id);
    subscription.cancellation_details = cancellation('cancellation_requested');
    if (prorate) creditUnusedTime(account, subscription);
    stopNow(account, subscription);
    return subscription;
  }),
  route('GET', '/v1/invoices', invoices, ({ customer, limit: size }, { account, path }) =>
    newest(account.invoices, { size, path }, (invoice) => invoice.customer === customer),
  ),
];
