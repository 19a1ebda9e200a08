import type { PlanType, Subscription, SubscriptionStatus } from './subscription.ts';
import type { Instant } from '../time.ts';

/** What Stripe says of one subscription, as far as it matters to us. */
export interface StripeSubscription {
  id: string;
  /** Stripe's own word; new ones can appear at any time. */
  status: string;
  createdAt: Instant;
  planType: PlanType;
  /** Begun by our checkout, or for one of our prices: it gives access. */
  isOurs: boolean;
  /** Begun by our checkout, so that it is ours to end. */
  isFromCheckout: boolean;
  /** The latest end among its items. */
  currentPeriodEnd: Instant;
  /** When it was asked to end; it may run on until cancelAt. */
  canceledAt: Instant | null;
  cancelAt: Instant | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Instant | null;
  trialStart: Instant | null;
  trialEnd: Instant | null;
}

/** How much a status counts when a customer has several subscriptions: what is alive wins, then what owes. */
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
 * The one of a customer's subscriptions that counts. `incomplete` is none yet: its first payment is still open; and
 * the same customer may have subscribed to something else. Null: the customer has none.
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

/** A status that nobody knows gives no access, but is not nothing either. */
function rank({ status }: StripeSubscription): number {
  return RANKS[status] ?? 2;
}

/**
 * Our own row of it. A subscription that will end is shown as canceled while it runs to its end; one that was ended
 * before its time ended then, and its trial as well. What Stripe says is over is over, also where its clock is ahead.
 */
export function toSubscription(stripe: StripeSubscription, now: Instant): Subscription {
  const { cancelAt, currentPeriodEnd, trialEnd, planType } = stripe;
  const isOver = stripe.status === 'canceled' || stripe.status === 'incomplete_expired';
  const endedAt = isOver ? Math.min(stripe.endedAt ?? stripe.canceledAt ?? stripe.createdAt, now) : null;
  const willEnd = stripe.cancelAtPeriodEnd || cancelAt !== null;
  const end = endedAt ?? cancelAt ?? currentPeriodEnd;
  return {
    status: statusOf(stripe.status, willEnd),
    planType,
    currentPeriodEnd: end,
    canceledAt: willEnd || endedAt !== null ? (stripe.canceledAt ?? end) : null,
    trialEnd: trialEnd === null ? null : Math.min(trialEnd, endedAt ?? trialEnd),
    renews: endedAt === null && !willEnd,
  };
}

function statusOf(status: string, willEnd: boolean): SubscriptionStatus {
  switch (status) {
    case 'active':
    case 'trialing':
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

/** Of several that are alive at once only the chosen one is wanted; the others would charge for nothing. */
export function superfluous(all: readonly StripeSubscription[]): StripeSubscription[] {
  const chosen = chooseSubscription(all);
  const isAlive = ({ status }: StripeSubscription) =>
    ['active', 'trialing', 'past_due', 'unpaid'].includes(status);
  if (chosen === null || !chosen.isFromCheckout || !isAlive(chosen)) return [];
  return all.filter((one) => one !== chosen && one.isFromCheckout && isAlive(one));
}

/** Stripe tried to charge, and could not; a status that merely gives no access is another matter. */
export function hasFailedPayment(stripe: StripeSubscription | null): boolean {
  return stripe?.status === 'past_due' || stripe?.status === 'unpaid';
}
