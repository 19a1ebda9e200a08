import type { Instant } from '../time.ts';
import { days, hours } from '../time.ts';

/** 'unknown' is every other status that Stripe reports; it gives no access. */
export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'canceled',
  'unpaid',
  'unknown',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const PLAN_TYPES = ['monthly', 'yearly'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

/** US dollars: per month, and per year. */
export const PRICES: Record<PlanType, number> = { monthly: 29, yearly: 278 };

export const TRIAL_DAYS = 30;
/** From then on a trial's end is close enough to be told of. */
export const TRIAL_EXPIRING_DAYS = 3;

export interface Subscription {
  status: SubscriptionStatus;
  planType: PlanType;
  currentPeriodEnd: Instant;
  /** When it was cancelled; until currentPeriodEnd it may go on. */
  canceledAt: Instant | null;
  trialEnd: Instant | null;
  /** Whether somebody will be charged at the period's end; an administrator's grant just ends. */
  renews: boolean;
}

/** Access lasts until the end of the paid or free period, also after a cancellation (SUB-03). */
export function hasActiveSubscription(subscription: Subscription | null, now: Instant): boolean {
  if (subscription === null || now >= subscription.currentPeriodEnd) return false;
  return isRunning(subscription) || subscription.status === 'canceled';
}

function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing';
}

/** Stripe begins the next period a little late at times. */
const RENEWAL_GRACE_MS = hours(3);

/** Whether outages are acted on: whoever renews is not left alone because the news of it is late. */
export function isProtected(subscription: Subscription | null, now: Instant): boolean {
  if (hasActiveSubscription(subscription, now)) return true;
  return (
    subscription?.renews === true &&
    isRunning(subscription) &&
    now < subscription.currentPeriodEnd + RENEWAL_GRACE_MS
  );
}

/** Whether it goes on by itself at the end of the period, also when the news of the next one is late. */
export function wouldRenew(subscription: Subscription | null): boolean {
  return subscription?.renews === true && isRunning(subscription);
}

/** The payment is open, also after a cancellation that has not taken effect: it is settled in the portal (PRICE-04). */
export function needsPayment(subscription: Subscription | null): boolean {
  return subscription?.status === 'past_due' || subscription?.status === 'unpaid';
}

export type CheckoutState = 'may_subscribe' | 'payment_issue' | 'subscribed';

/**
 * Whether a checkout may start; the server and the page both use this rule (PRICE-02, PRICE-04). A late renewal and
 * an unknown status count as subscribed: either can still charge, and no user may pay for two subscriptions.
 */
export function checkoutState(subscription: Subscription | null, isActive: boolean): CheckoutState {
  if (needsPayment(subscription)) return 'payment_issue';
  const canCharge = wouldRenew(subscription) || subscription?.status === 'unknown';
  return isActive || canCharge ? 'subscribed' : 'may_subscribe';
}

/** A subscription must be cancelled, and an admin grant cleared, before the account is deleted (SET-11). */
export function blocksDeletion(subscription: Subscription | null, isActive: boolean): boolean {
  const isCancelled = subscription?.status === 'canceled' || subscription?.canceledAt != null;
  return wouldRenew(subscription) || (isActive && !isCancelled);
}

/** Whole days until the trial ends, begun ones counted; null when it is no trial (SUB-02). */
export function trialDaysRemaining(subscription: Subscription | null, now: Instant): number | null {
  if (subscription?.status !== 'trialing' || subscription.trialEnd === null) return null;
  return Math.max(0, Math.ceil((subscription.trialEnd - now) / days(1)));
}

/** From when the person is told that the trial ends soon; null when nothing will be charged at its end. */
export function trialExpiresFrom({ status, trialEnd }: Subscription): Instant | null {
  return status === 'trialing' && trialEnd !== null ? trialEnd - days(TRIAL_EXPIRING_DAYS) : null;
}

export function isTrialExpiringSoon(subscription: Subscription | null, now: Instant): boolean {
  const from = subscription === null ? null : trialExpiresFrom(subscription);
  return from !== null && now >= from;
}

/** The one that counts: an admin grant only where Stripe's subscription gives no access or is cancelled. */
export function effectiveSubscription(
  { stripe, grant }: { stripe: Subscription | null; grant: Subscription | null },
  now: Instant,
): Subscription | null {
  const isLasting = hasActiveSubscription(stripe, now) && stripe?.status !== 'canceled';
  return hasActiveSubscription(grant, now) && !isLasting ? grant : (stripe ?? grant);
}
