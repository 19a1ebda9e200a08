import { z } from 'zod';
import { newestFirst } from '../account.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { stopNow } from '../billing/stop.ts';
import { creditUnusedTime } from '../billing/switch.ts';
import { subscribe } from '../billing/subscribe.ts';
import { invalid, noSuch } from '../errors.ts';
import { page, paginate } from '../wire/lists.ts';
import { emptyable, flag, integer, isWithin, metadata, range, text, withMetadata } from '../wire/params.ts';
import { attachTestCard } from './payment-methods.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';
import { updateParams, updateSubscription } from './subscription-update.ts';

const STATUSES = [
  'active',
  'all',
  'canceled',
  'ended',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const;
const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
});
const created = z.strictObject({
  customer: text,
  default_payment_method: text.optional(),
  description: text.optional(),
  items: z
    .array(z.strictObject({ price: text, quantity: integer.optional() }))
    .length(1, 'one item is played'),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']).optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_period_days: integer.pipe(z.number().min(0)).optional(),
  trial_settings: trialSettings.optional(),
});
const listed = z.strictObject({
  ...page,
  created: range.optional(),
  current_period_end: range.optional(),
  customer: text.optional(),
  price: text.optional(),
  status: z.enum(STATUSES).optional(),
});
const canceled = z.strictObject({
  cancellation_details: z
    .strictObject({ comment: emptyable(text).optional(), feedback: emptyable(text).optional() })
    .optional(),
  invoice_now: flag.optional(),
  prorate: flag.optional(),
});

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', created, (params, { account }) => {
    const customer = find(account.customers, 'customer', params.customer, 'customer');
    const [item] = params.items;
    const price = find(account.prices, 'price', item?.price ?? '', 'items[0][price]');
    if (!price.active)
      throw invalid(
        'The price specified is inactive. This field only accepts active prices.',
        'items[0][price]',
      );
    if (price.recurring === null)
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        'items[0][price]',
      );
    const method = params.default_payment_method;
    return subscribe(account, {
      customer: customer.id,
      price,
      quantity: item?.quantity ?? 1,
      paymentMethod:
        method === undefined
          ? null
          : attachTestCard(account, method, customer.id, 'default_payment_method').id,
      data: {
        trial_period_days: params.trial_period_days === 0 ? undefined : params.trial_period_days,
        trial_end: params.trial_end === 'now' ? undefined : params.trial_end,
        metadata: withMetadata({}, params.metadata),
        description: params.description ?? null,
        missingPaymentMethod: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
      by: 'api',
    });
  }),
  route('GET', '/v1/subscriptions', listed, (asked, { account, path }) => {
    const { customer, status, price, created: within, current_period_end: ends } = asked;
    if (customer !== undefined && !account.deletedCustomers.has(customer))
      find(account.customers, 'customer', customer, 'customer');
    const wanted = newestFirst(account.subscriptions).filter(
      (subscription) =>
        (customer === undefined || subscription.customer === customer) &&
        (price === undefined || priceOf(itemOf(subscription)).id === price) &&
        isWithin(subscription.created, within) &&
        isWithin(itemOf(subscription).current_period_end, ends) &&
        hasStatus(subscription.status, status),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/subscriptions/:id', z.strictObject({}), (_, { account, id }) =>
    find(account.subscriptions, 'subscription', id),
  ),
  route('POST', '/v1/subscriptions/:id', updateParams, (params, { account, id }) => {
    const subscription = find(account.subscriptions, 'subscription', id);
    updateSubscription(account, subscription, params);
    return subscription;
  }),
  route('DELETE', '/v1/subscriptions/:id', canceled, (asked, { account, id }) => {
    const { cancellation_details: details, prorate = false, invoice_now: invoiceNow = false } = asked;
    if (prorate !== invoiceNow)
      throw invalid('Only both or none of prorate and invoice_now is played.', 'prorate');
    const subscription = find(account.subscriptions, 'subscription', id);
    if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
      throw noSuch('subscription', id);
    subscription.cancellation_details = {
      comment: details?.comment ?? null,
      feedback: details?.feedback ?? null,
      feedback_option: null,
      reason: 'cancellation_requested',
    };
    if (prorate) creditUnusedTime(account, subscription);
    stopNow(account, subscription);
    return subscription;
  }),
];

/** Without a status all but the canceled are meant. */
function hasStatus(status: string, wanted: (typeof STATUSES)[number] | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled';
  if (wanted === 'ended') return status === 'canceled' || status === 'incomplete_expired';
  return wanted === 'all' || status === wanted;
}
