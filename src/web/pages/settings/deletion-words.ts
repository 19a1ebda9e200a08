import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';

/** What a deletion means for a subscription that would not block it; null: there is none that it would end. */
export function deletionWords(subscription: Subscription | null, now: Instant): string | null {
  if (subscription === null) return null;
  if (needsPayment(subscription) || subscription.status === 'unknown') {
    return 'Your subscription ends at once. What you have paid is not refunded, and nothing will be charged any more.';
  }
  if (!hasActiveSubscription(subscription, now)) return null;
  const end = fullTime(subscription.currentPeriodEnd);
  return `Your subscription, which would run until ${end}, ends at once. What remains of it is not refunded, and nothing will be charged any more.`;
}
