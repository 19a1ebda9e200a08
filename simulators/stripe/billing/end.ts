import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import type { Subscription } from '../objects.ts';
import { nulls } from '../objects.ts';
import { invoicesOf, stopAdvancing } from './invoices.ts';
import { itemOf, priceOf } from './items.ts';

export const ENDED = ['canceled', 'incomplete_expired'];

type EndReason = NonNullable<Subscription['cancellation_details']>['reason'];

export function cancellation(reason: EndReason) {
  return { ...nulls('comment feedback feedback_option'), reason };
}

/** Ends a subscription now. `canceled_at` keeps the time of the request. */
export function endSubscription(account: Account, subscription: Subscription, reason: EndReason): void {
  const now = account.now();
  Object.assign(subscription, {
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? now,
    ended_at: now,
    cancellation_details: cancellation(subscription.cancellation_details?.reason ?? reason),
  } satisfies Partial<Subscription>);
  for (const invoice of invoicesOf(account, subscription)) {
    if (invoice.status === 'draft' || invoice.status === 'open') stopAdvancing(account, invoice);
  }
  emit(account, 'customer.subscription.deleted', subscription);
}

/** Credits the unused time to the customer's balance, which no invoice uses here. */
export function creditUnusedTime(account: Account, subscription: Subscription): void {
  const customer = account.customers.get(subscription.customer);
  if (customer === undefined || subscription.status === 'trialing') return;
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const share = Math.max(0, end - account.now()) / (end - start);
  const cents = Math.round((priceOf(subscription).unit_amount ?? 0) * share);
  change(account, 'customer.updated', customer, { balance: customer.balance - cents });
}

export function stopNow(account: Account, subscription: Subscription): void {
  Object.assign(subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: account.now() });
  endSubscription(account, subscription, 'cancellation_requested');
}

/** The portal sets `cancel_at` in flexible billing; only the API sets `cancel_at_period_end`. */
export function stopAtPeriodEnd(account: Account, subscription: Subscription, by: 'portal' | 'api'): void {
  const end = itemOf(subscription).current_period_end;
  change(account, 'customer.subscription.updated', subscription, {
    ...(by === 'portal' ? { cancel_at: end } : { cancel_at_period_end: true }),
    canceled_at: account.now(),
    cancellation_details: cancellation('cancellation_requested'),
  });
}

export function keepGoing(account: Account, subscription: Subscription): void {
  change(account, 'customer.subscription.updated', subscription, {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: cancellation(null),
  });
}
