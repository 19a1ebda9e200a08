import type { Account } from '../account.ts';
import { change, emit } from '../events.ts';
import type { Subscription } from '../objects.ts';
import { nulls } from '../objects.ts';
import { invoicesOf, stopAdvancing } from './invoices.ts';
import { itemOf } from './items.ts';

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
