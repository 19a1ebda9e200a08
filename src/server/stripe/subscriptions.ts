import type Stripe from 'stripe';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** Which of our plans a price is. */
export type Prices = Record<PlanType, string>;

/** Marks what our own checkout has begun, so that nothing else in the same Stripe account is touched. */
export const OUR_MARK = { smartpause: 'subscription' } as const;

/** Stripe's words for one subscription in ours. Its period stands with its items. */
export function readSubscription(subscription: Stripe.Subscription, prices: Prices): StripeSubscription {
  const items = subscription.items.data;
  const ends = items.map((item) => item.current_period_end);
  const isFromCheckout = subscription.metadata['smartpause'] === OUR_MARK.smartpause;
  const ours: string[] = Object.values(prices);
  return {
    id: subscription.id,
    status: subscription.status,
    createdAt: at(subscription.created),
    planType: planOf(items, prices),
    isOurs: isFromCheckout || items.some(({ price }) => ours.includes(price.id)),
    isFromCheckout,
    currentPeriodEnd: at(Math.max(...ends, subscription.created)),
    canceledAt: atOrNull(subscription.canceled_at),
    cancelAt: atOrNull(subscription.cancel_at),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: atOrNull(subscription.ended_at),
    trialStart: atOrNull(subscription.trial_start),
    trialEnd: atOrNull(subscription.trial_end),
  };
}

/** By the price; a price that is not ours any more tells by its interval. */
function planOf(items: readonly Stripe.SubscriptionItem[], prices: Prices): PlanType {
  const isYearly = items.some(
    ({ price }) =>
      price.id === prices.yearly || (price.id !== prices.monthly && price.recurring?.interval === 'year'),
  );
  return isYearly ? 'yearly' : 'monthly';
}

/** Stripe counts in whole seconds. */
function at(unixSeconds: number): Instant {
  return seconds(unixSeconds);
}

function atOrNull(unixSeconds: number | null): Instant | null {
  return unixSeconds === null ? null : at(unixSeconds);
}

export function readPrice(price: Stripe.Price): StripePrice {
  return {
    isActive: price.active,
    currency: price.currency,
    amount: price.unit_amount,
    interval: price.recurring?.interval ?? null,
    intervalCount: price.recurring?.interval_count ?? 0,
  };
}
