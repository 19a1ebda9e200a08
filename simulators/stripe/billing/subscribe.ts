import type { Account, Purchase } from '../account.ts';
import { DAY } from '../clock.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { Price, Subscription } from '../objects.ts';
import { nulls } from '../objects.ts';
import { listOf } from '../wire/lists.ts';
import { cancellation } from './end.ts';
import { draftInvoice } from './invoices.ts';
import { intervalOf, newItem, periodEnd } from './items.ts';
import { collect } from './payments.ts';

interface Order {
  customer: string;
  price: Price;
  paymentMethod: string | null;
  purchase: Omit<Purchase, 'price'>;
}

/** Creates a subscription with its first invoice: 0 for a trial, else the first period, charged at once. */
export function subscribe(account: Account, order: Order): Subscription {
  const { price, purchase } = order;
  const now = account.now();
  const isTrial = purchase.trialDays !== undefined;
  const end =
    purchase.trialDays === undefined
      ? periodEnd(now, intervalOf(price), now)
      : now + purchase.trialDays * DAY;
  const subscription = newSubscription(order, { now, end });
  account.subscriptions.set(subscription.id, subscription);
  emit(account, 'customer.subscription.created', subscription);
  const invoice = draftInvoice(account, subscription, {
    reason: 'subscription_create',
    amount: isTrial ? 0 : (price.unit_amount ?? 0),
    period: { start: now, end: now },
  });
  subscription.latest_invoice = invoice.id;
  collect(account, invoice, 'customer');
  return subscription;
}

function newSubscription(order: Order, { now, end }: { now: number; end: number }): Subscription {
  const { customer, price, paymentMethod, purchase } = order;
  const id = newId('sub');
  const isTrial = purchase.trialDays !== undefined;
  const empty = nulls('cancel_at canceled_at ended_at latest_invoice');
  return {
    id,
    object: 'subscription',
    ...empty,
    billing_cycle_anchor: isTrial ? end : now,
    cancel_at_period_end: false,
    cancellation_details: cancellation(null),
    created: now,
    currency: price.currency,
    customer,
    default_payment_method: paymentMethod,
    items: listOf(
      [newItem(id, price, now, { start: now, end })],
      `/v1/subscription_items?subscription=${id}`,
    ),
    livemode: false,
    metadata: purchase.metadata,
    start_date: now,
    status: isTrial ? 'trialing' : 'active',
    trial_end: isTrial ? end : null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: purchase.missingPaymentMethod },
    },
    trial_start: isTrial ? now : null,
  };
}
