import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';

/** The effect of a deletion on a subscription that does not block it; null: it ends none. */
export function deletionCopy(subscription: Subscription | null, now: Instant): string | null {
  if (subscription === null) return null;
  if (needsPayment(subscription) || subscription.status === 'unknown') {
    return 'Your subscription ends immediately. Past payments aren’t refunded, and you won’t be charged again.';
  }
  if (!hasActiveSubscription(subscription, now)) return null;
  const end = fullTime(subscription.currentPeriodEnd);
  return `Your subscription ends immediately instead of on ${end}. The remaining time isn’t refunded, and you won’t be charged again.`;
}

/** A revocation leaves the subscription as it is; null: there is none that costs money. */
export function revocationCopy(subscription: Subscription | null): string | null {
  return subscription?.renews === true
    ? 'Your subscription continues and is still charged. To stop paying, cancel it in Billing first.'
    : null;
}
