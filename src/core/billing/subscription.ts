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
/** The expiry notice starts this many days before the trial ends. */
export const TRIAL_EXPIRING_DAYS = 3;
/** Length of a subscription that an admin grants themselves. */
export const GRANT_YEARS = 10;

/** A page may not know the plan of a newer server: it is null. */
export interface Subscription<Plan extends PlanType | null = PlanType | null> {
  status: SubscriptionStatus;
  planType: Plan;
  currentPeriodEnd: Instant;
  /** When it was cancelled; access may last until currentPeriodEnd. */
  canceledAt: Instant | null;
  trialEnd: Instant | null;
  /** Whether the user is charged at the end of the period; an admin grant ends without a charge. */
  renews: boolean;
  /** Stripe collects no payments for now. The status is 'unknown', as it gives no access. */
  isPaused?: boolean | null | undefined;
  /** Stripe's page of the open invoice, where the user pays it or confirms the payment. Null: none is open. */
  openInvoiceUrl?: string | null | undefined;
}

/** Stripe can start the next period a little late. */
const RENEWAL_GRACE_MS = hours(3);

/**
 * Access lasts until the end of the paid or free period, also after a cancellation. One that renews keeps access
 * while its renewal is late (SUB-03). Null: it gives none.
 */
export function accessUntil(subscription: Subscription): Instant | null {
  if (!isRunning(subscription) && subscription.status !== 'canceled') return null;
  return subscription.currentPeriodEnd + (wouldRenew(subscription) ? RENEWAL_GRACE_MS : 0);
}

export function hasActiveSubscription(subscription: Subscription | null, now: Instant): boolean {
  return subscription !== null && now < (accessUntil(subscription) ?? 0);
}

function isRunning({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing';
}

/** Whether it renews automatically at the end of the period, also while the renewal is late. */
export function wouldRenew(subscription: Subscription | null): boolean {
  return subscription?.renews === true && isRunning(subscription);
}

/**
 * A payment is open, also after a cancellation that has not taken effect. The user pays in the portal
 * (PRICE-04).
 */
export function needsPayment(subscription: { status: string } | null): boolean {
  return subscription?.status === 'past_due' || subscription?.status === 'unpaid';
}

export type CheckoutState = 'may_subscribe' | 'payment_issue' | 'subscribed';

/**
 * Server and page share this rule (PRICE-02, PRICE-04). A late renewal and an unknown status count as
 * subscribed: either can still charge, and no user may pay for two subscriptions.
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

/** Days until the trial ends, rounded up; null: no trial (SUB-02). */
export function trialDaysRemaining(subscription: Subscription | null, now: Instant): number | null {
  if (subscription?.status !== 'trialing' || subscription.trialEnd === null) return null;
  return Math.max(0, Math.ceil((subscription.trialEnd - now) / days(1)));
}

export function isTrialExpiringSoon(subscription: Subscription | null, now: Instant): boolean {
  if (subscription?.status !== 'trialing' || subscription.trialEnd === null) return false;
  return now >= subscription.trialEnd - days(TRIAL_EXPIRING_DAYS);
}

/** The subscription that counts: a grant only if Stripe's subscription gives no access or is cancelled. */
export function effectiveSubscription(
  { stripe, grant }: { stripe: Subscription | null; grant: Subscription | null },
  now: Instant,
): Subscription | null {
  const isLasting = hasActiveSubscription(stripe, now) && stripe?.status !== 'canceled';
  return hasActiveSubscription(grant, now) && !isLasting ? grant : (stripe ?? grant);
}
