import type { PlanType, Subscription, SubscriptionStatus } from './subscription.ts';
import type { Instant } from '../time.ts';

/** The fields of a Stripe subscription that SmartPause uses. */
export interface StripeSubscription {
  id: string;
  /** Stripe's status; new values can appear at any time. */
  status: string;
  createdAt: Instant;
  planType: PlanType;
  /** Created by our checkout or for one of our prices: it gives access. */
  isOurs: boolean;
  /** Created by our checkout: only then may SmartPause cancel it. */
  isFromCheckout: boolean;
  /** The latest period end of its items. */
  currentPeriodEnd: Instant;
  /** When the cancellation was requested; the subscription may run until cancelAt. */
  canceledAt: Instant | null;
  cancelAt: Instant | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Instant | null;
  trialStart: Instant | null;
  trialEnd: Instant | null;
  /** Stripe collects no payments for now. */
  isPaused: boolean;
  /** The hosted page of the latest invoice, if that is open. */
  openInvoiceUrl: string | null;
}

/** Priority when a customer has several subscriptions: active ones first, then unpaid ones. */
const RANKS: Record<string, number> = {
  active: 5,
  trialing: 5,
  past_due: 4,
  unpaid: 3,
  paused: 2,
  canceled: 1,
  incomplete_expired: 0,
};

/**
 * The customer's subscription that counts; null: none. Skips `incomplete` (the first payment is still open)
 * and subscriptions to other products.
 */
export function chooseSubscription(all: readonly StripeSubscription[]): StripeSubscription | null {
  const candidates = all.filter(({ status, isOurs }) => isOurs && status !== 'incomplete');
  return candidates.reduce<StripeSubscription | null>(
    (best, one) => (best === null || compare(one, best) > 0 ? one : best),
    null,
  );
}

function compare(a: StripeSubscription, b: StripeSubscription): number {
  return rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id > b.id ? 1 : -1);
}

/** An unknown status gives no access, but ranks above an ended subscription. */
function rank({ status }: StripeSubscription): number {
  return RANKS[status] ?? 2;
}

/**
 * A scheduled cancellation shows as canceled while it runs; an early end also ends the trial. A reported end
 * is never in the future, even if Stripe's clock is ahead.
 */
export function toSubscription(stripe: StripeSubscription, now: Instant): Subscription {
  const { cancelAt, currentPeriodEnd, trialEnd, planType } = stripe;
  const isOver = stripe.status === 'canceled' || stripe.status === 'incomplete_expired';
  const endedAt = isOver ? Math.min(stripe.endedAt ?? stripe.canceledAt ?? stripe.createdAt, now) : null;
  const willEnd = stripe.cancelAtPeriodEnd || cancelAt !== null;
  const end = endedAt ?? cancelAt ?? currentPeriodEnd;
  return {
    status: statusOf(stripe, willEnd),
    planType,
    currentPeriodEnd: end,
    canceledAt: willEnd || endedAt !== null ? (stripe.canceledAt ?? end) : null,
    trialEnd: trialEnd === null ? null : Math.min(trialEnd, endedAt ?? trialEnd),
    renews: endedAt === null && !willEnd,
    isPaused: stripe.isPaused,
    openInvoiceUrl: stripe.openInvoiceUrl,
  };
}

function statusOf({ status, isPaused }: StripeSubscription, willEnd: boolean): SubscriptionStatus {
  switch (status) {
    case 'active':
    case 'trialing':
      if (isPaused) return 'unknown';
      return willEnd ? 'canceled' : status;
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

/** Only the chosen subscription is wanted; other active ones would charge the customer twice. */
export function superfluous(all: readonly StripeSubscription[]): StripeSubscription[] {
  const chosen = chooseSubscription(all);
  const isAlive = ({ status }: StripeSubscription) =>
    ['active', 'trialing', 'past_due', 'unpaid'].includes(status);
  if (chosen === null || !chosen.isFromCheckout || !isAlive(chosen)) return [];
  return all.filter((one) => one !== chosen && one.isFromCheckout && isAlive(one));
}
