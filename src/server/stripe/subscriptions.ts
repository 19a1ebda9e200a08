import type Stripe from 'stripe';
import type { StripePrice } from '#core/billing/stripe-price.ts';
import type { StripeSubscription } from '#core/billing/stripe-subscription.ts';
import type { PlanType } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** Our price ids by plan. */
export type Prices = Record<PlanType, string>;

/** Marks the subscriptions of our own checkout, so that others in the same Stripe account are not touched. */
export const OUR_MARK = { smartpause: 'subscription' } as const;

/** Converts a Stripe subscription. The period is on its items. */
export function readSubscription(subscription: Stripe.Subscription, prices: Prices): StripeSubscription {
  const items = subscription.items.data;
  const ends = items.map((item) => item.current_period_end);
  const isFromCheckout = subscription.metadata['smartpause'] === OUR_MARK.smartpause;
  const ours: string[] = Object.values(prices);
  return {
    id: subscription.id,
    status: subscription.status,
    createdAt: seconds(subscription.created),
    planType: planOf(items, prices),
    isOurs: isFromCheckout || items.some(({ price }) => ours.includes(price.id)),
    isFromCheckout,
    currentPeriodEnd: seconds(Math.max(...ends, subscription.created)),
    canceledAt: secondsOrNull(subscription.canceled_at),
    cancelAt: secondsOrNull(subscription.cancel_at),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: secondsOrNull(subscription.ended_at),
    trialStart: secondsOrNull(subscription.trial_start),
    trialEnd: secondsOrNull(subscription.trial_end),
    isPaused: subscription.status === 'paused' || Boolean(subscription.pause_collection),
    openInvoiceUrl: openInvoiceUrl(subscription.latest_invoice),
  };
}

function openInvoiceUrl(invoice: Stripe.Subscription['latest_invoice']): string | null {
  const isOpen = typeof invoice === 'object' && invoice?.status === 'open';
  return isOpen ? (invoice.hosted_invoice_url ?? null) : null;
}

/** By the price; for a price that is no longer ours, by its interval. */
function planOf(items: readonly Stripe.SubscriptionItem[], prices: Prices): PlanType {
  const isYearly = items.some(
    ({ price }) =>
      price.id === prices.yearly || (price.id !== prices.monthly && price.recurring?.interval === 'year'),
  );
  return isYearly ? 'yearly' : 'monthly';
}

function secondsOrNull(unixSeconds: number | null): Instant | null {
  return unixSeconds === null ? null : seconds(unixSeconds);
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
