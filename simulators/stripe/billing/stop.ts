import type { Account } from '../account.ts';
import { change } from '../events.ts';
import type { Subscription } from '../objects.ts';
import { endSubscription } from './end.ts';
import { itemOf } from './items.ts';

/** How the portal stops a subscription in flexible billing: by a time, not by `cancel_at_period_end`. */
export function stopAtPeriodEnd(account: Account, subscription: Subscription): void {
  change(account, 'customer.subscription.updated', subscription, {
    cancel_at: itemOf(subscription).current_period_end,
    ...requested(account, subscription),
  });
}

/** As a call with `cancel_at_period_end` does it: no time is set. */
export function flagForPeriodEnd(account: Account, subscription: Subscription): void {
  change(account, 'customer.subscription.updated', subscription, {
    cancel_at_period_end: true,
    ...requested(account, subscription),
  });
}

export function stopNow(account: Account, subscription: Subscription): void {
  Object.assign(subscription, { cancel_at: null, cancel_at_period_end: false, canceled_at: account.now() });
  endSubscription(account, subscription, 'cancellation_requested');
}

export function keepGoing(account: Account, subscription: Subscription): void {
  change(account, 'customer.subscription.updated', subscription, {
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  });
}

export function requested(account: Account, subscription: Subscription) {
  return {
    canceled_at: account.now(),
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      ...subscription.cancellation_details,
      reason: 'cancellation_requested' as const,
    },
  };
}
