import { z } from 'zod';
import type { Account } from '../account.ts';
import { itemOf, priceOf } from '../billing/items.ts';
import { endTrialNow } from '../billing/renew.ts';
import { flagForPeriodEnd, keepGoing, requested } from '../billing/stop.ts';
import { switchPrice } from '../billing/switch.ts';
import { invalid, noSuch } from '../errors.ts';
import { change } from '../events.ts';
import type { Subscription } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { emptyable, flag, integer, metadata, text, withMetadata } from '../wire/params.ts';
import { attachTestCard } from './payment-methods.ts';
import { find } from './route.ts';

export const updateParams = z.strictObject({
  billing_cycle_anchor: z.enum(['now', 'unchanged']).optional(),
  cancel_at: emptyable(z.union([z.enum(['min_period_end', 'max_period_end']), integer])).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: z
    .strictObject({ comment: emptyable(text).optional(), feedback: emptyable(text).optional() })
    .optional(),
  default_payment_method: text.optional(),
  description: emptyable(text).optional(),
  items: z
    .array(z.strictObject({ id: text.optional(), price: text.optional(), quantity: integer.optional() }))
    .optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice', 'pause']) }),
    })
    .optional(),
});
type Update = z.infer<typeof updateParams>;

const STILL_OPEN_WHEN_CANCELED = ['cancellation_details', 'metadata'];

export function updateSubscription(account: Account, subscription: Subscription, params: Update): void {
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    const touched = Object.keys(params).find((name) => !STILL_OPEN_WHEN_CANCELED.includes(name));
    if (touched !== undefined)
      throw invalid(
        'A canceled subscription can only update its cancellation_details and metadata.',
        touched,
        'invalid_canceled_subscription_fields',
      );
  }
  if (params.cancel_at !== undefined && params.cancel_at_period_end !== undefined)
    throw invalid(
      'You may only specify one of these parameters: cancel_at, cancel_at_period_end.',
      'cancel_at',
      'parameters_exclusive',
    );
  updateFacts(account, subscription, params);
  updateEnd(account, subscription, params);
  updateItems(account, subscription, params);
  updateTrial(account, subscription, params.trial_end);
}

function updateFacts(account: Account, subscription: Subscription, params: Update): void {
  const {
    cancellation_details: details,
    default_payment_method: method,
    description,
    trial_settings: trial,
  } = params;
  change(account, 'customer.subscription.updated', subscription, {
    metadata: withMetadata(subscription.metadata, params.metadata),
    ...(description === undefined ? {} : { description }),
    ...(method === undefined
      ? {}
      : {
          default_payment_method: attachTestCard(
            account,
            method,
            subscription.customer,
            'default_payment_method',
          ).id,
        }),
    ...(trial === undefined
      ? {}
      : { trial_settings: { end_behavior: { billing_cycle_anchor: null, ...trial.end_behavior } } }),
    ...(details === undefined
      ? {}
      : {
          cancellation_details: {
            feedback_option: null,
            reason: subscription.cancellation_details?.reason ?? null,
            comment: details.comment ?? subscription.cancellation_details?.comment ?? null,
            feedback: details.feedback ?? subscription.cancellation_details?.feedback ?? null,
          },
        }),
  });
}

function updateEnd(
  account: Account,
  subscription: Subscription,
  { cancel_at: at, cancel_at_period_end: flagged }: Update,
): void {
  if (flagged === true) flagForPeriodEnd(account, subscription);
  if (flagged === false || at === null) keepGoing(account, subscription);
  if (at === undefined || at === null) return;
  const end = typeof at === 'number' ? at : itemOf(subscription).current_period_end;
  if (end <= account.now()) throw invalid('`cancel_at` must be a timestamp in the future.', 'cancel_at');
  change(account, 'customer.subscription.updated', subscription, {
    cancel_at: end,
    ...requested(account, subscription),
  });
}

function updateItems(account: Account, subscription: Subscription, params: Update): void {
  const { items, billing_cycle_anchor: anchor, proration_behavior: proration = 'create_prorations' } = params;
  if (items === undefined && anchor !== 'now') return;
  const item = itemOf(subscription);
  const [wanted, ...others] = items ?? [];
  if (others.length > 0 || (wanted !== undefined && wanted.id === undefined))
    throw invalid('The simulator plays one item: name it by its id.', 'items');
  if (wanted?.id !== undefined && wanted.id !== item.id)
    throw noSuch('subscription_item', wanted.id, 'items[0][id]');
  const price =
    wanted?.price === undefined
      ? priceOf(item)
      : find(account.prices, 'price', wanted.price, 'items[0][price]');
  if (!price.active)
    throw invalid(
      'The price specified is inactive. This field only accepts active prices.',
      'items[0][price]',
    );
  const quantity = wanted?.quantity ?? item.quantity ?? 1;
  switchPrice(account, subscription, {
    price,
    quantity,
    proration,
    resetsAnchor: anchor === 'now',
    by: 'api',
  });
}

function updateTrial(account: Account, subscription: Subscription, end: Update['trial_end']): void {
  if (end === undefined) return;
  const isTrialing = subscription.status === 'trialing';
  if (end === 'now') {
    if (isTrialing) endTrialNow(account, subscription, 'api');
    return;
  }
  if (end <= account.now())
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', 'trial_end');
  account.trialEndAnnounced.delete(subscription.id);
  const item = itemOf(subscription);
  const start = isTrialing ? item.current_period_start : account.now();
  change(account, 'customer.subscription.updated', subscription, {
    status: 'trialing',
    trial_start: subscription.trial_start ?? start,
    trial_end: end,
    billing_cycle_anchor: end,
    items: listOf(
      [{ ...item, current_period_start: start, current_period_end: end }],
      subscription.items.url,
    ),
  });
}
