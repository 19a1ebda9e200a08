import type Stripe from 'stripe';
import type { PlanType, Subscription, SubscriptionStatus } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

/** Our price ids by plan. */
export type Prices = Record<PlanType, string>;

/** Marks the subscriptions of our own checkout: only these may SmartPause cancel. */
export const OUR_MARK = { smartpause: 'subscription' } as const;

/** What a customer's subscriptions at Stripe mean. */
export interface StripeState {
  /** The one that counts; null: none. */
  subscription: Subscription<PlanType> | null;
  /** Other active ones of our checkout, which would charge the customer twice. */
  extras: { id: string; isPaid: boolean }[];
  usedTrial: boolean;
}

/** Skips subscriptions to other products in the same Stripe account. */
export function readSubscriptions(
  all: readonly Stripe.Subscription[],
  prices: Prices,
  now: Instant,
): StripeState {
  const ids: string[] = Object.values(prices);
  const ours = all.filter(
    (one) => isFromCheckout(one) || one.items.data.some(({ price }) => ids.includes(price.id)),
  );
  const chosen = chooseSubscription(ours);
  const isCharged = chosen !== null && isFromCheckout(chosen) && isAlive(chosen);
  const extras = ours.filter((one) => isCharged && one !== chosen && isFromCheckout(one) && isAlive(one));
  return {
    subscription: chosen && toSubscription(chosen, prices, now),
    extras: extras.map(({ id, status }) => ({ id, isPaid: status === 'active' })),
    usedTrial: ours.some(({ trial_start }) => trial_start !== null),
  };
}

function isFromCheckout({ metadata }: Stripe.Subscription): boolean {
  return metadata['smartpause'] === OUR_MARK.smartpause;
}

function isAlive({ status }: Stripe.Subscription): boolean {
  return ['active', 'trialing', 'past_due', 'unpaid'].includes(status);
}

/** Active ones first, then unpaid ones. An unknown status gives no access, but counts before an ended one. */
const RANKS: Record<string, number> = {
  active: 5,
  trialing: 5,
  past_due: 4,
  unpaid: 3,
  canceled: 1,
  incomplete_expired: 0,
};
const UNKNOWN_RANK = 2;

/** Skips `incomplete`: the first payment is still open. */
function chooseSubscription(ours: readonly Stripe.Subscription[]): Stripe.Subscription | null {
  const rank = ({ status }: Stripe.Subscription) => RANKS[status] ?? UNKNOWN_RANK;
  const [best = null] = ours
    .filter(({ status }) => status !== 'incomplete')
    .sort((a, b) => rank(b) - rank(a) || b.created - a.created || (a.id > b.id ? -1 : 1));
  return best;
}

/**
 * A scheduled cancellation shows as canceled while it runs; an early end also ends the trial. A reported end
 * is never in the future, even if Stripe's clock is ahead.
 */
function toSubscription(stripe: Stripe.Subscription, prices: Prices, now: Instant): Subscription<PlanType> {
  const { cancel_at, canceled_at, ended_at, trial_end, status, items, created } = stripe;
  const isOver = status === 'canceled' || status === 'incomplete_expired';
  const endedAt = isOver ? Math.min(seconds(ended_at ?? canceled_at ?? created), now) : null;
  const willEnd = stripe.cancel_at_period_end || cancel_at !== null;
  const periodEnd = Math.max(...items.data.map((item) => item.current_period_end), created);
  const end = endedAt ?? seconds(cancel_at ?? periodEnd);
  const isPaused = status === 'paused' || Boolean(stripe.pause_collection);
  return {
    status: statusOf(status, { willEnd, isPaused }),
    planType: planOf(items.data, prices),
    currentPeriodEnd: end,
    canceledAt: willEnd || isOver ? (canceled_at === null ? end : seconds(canceled_at)) : null,
    trialEnd: trial_end === null ? null : Math.min(seconds(trial_end), endedAt ?? Infinity),
    renews: !isOver && !willEnd,
    isPaused,
    openInvoiceUrl: openInvoiceUrl(stripe.latest_invoice),
  };
}

/** New values can appear at any time. */
function statusOf(status: string, is: { willEnd: boolean; isPaused: boolean }): SubscriptionStatus {
  switch (status) {
    case 'active':
    case 'trialing':
      if (is.isPaused) return 'unknown';
      return is.willEnd ? 'canceled' : status;
    case 'past_due':
    case 'unpaid':
    case 'canceled':
      return status;
    case 'incomplete_expired':
      return 'canceled';
    default:
      return 'unknown';
  }
}

/** By the price; for a price that is no longer ours, by its interval. */
function planOf(items: readonly Stripe.SubscriptionItem[], prices: Prices): PlanType {
  const isYearly = items.some(
    ({ price }) =>
      price.id === prices.yearly || (price.id !== prices.monthly && price.recurring?.interval === 'year'),
  );
  return isYearly ? 'yearly' : 'monthly';
}

function openInvoiceUrl(invoice: Stripe.Subscription['latest_invoice']): string | null {
  const isOpen = typeof invoice === 'object' && invoice?.status === 'open';
  return isOpen ? (invoice.hosted_invoice_url ?? null) : null;
}
