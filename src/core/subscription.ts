import type { Instant } from './time.ts';
import { days } from './time.ts';

export const SUBSCRIPTION_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'unpaid'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const PLAN_TYPES = ['monthly', 'yearly'] as const;
export type PlanType = (typeof PLAN_TYPES)[number];

export const TRIAL_MS = days(30);

export interface Subscription {
  status: SubscriptionStatus;
  planType: PlanType;
  currentPeriodEnd: Instant;
  canceledAt: Instant | null;
  trialEnd: Instant | null;
  /** Whether somebody will be charged at the period's end; a local trial or an admin's grant just ends. */
  renews: boolean;
}

/** Access lasts until the end of the paid or free period, also after a cancellation (SUB-03). */
export function hasActiveSubscription(subscription: Subscription | null, now: Instant): boolean {
  if (subscription === null || now >= subscription.currentPeriodEnd) return false;
  return (
    subscription.status === 'active' ||
    subscription.status === 'trialing' ||
    subscription.status === 'canceled'
  );
}

/** Whether it would go on by itself at the end of the period; such a subscription blocks the account's deletion. */
export function wouldRenew(subscription: Subscription | null, now: Instant): boolean {
  if (!subscription?.renews || subscription.canceledAt !== null) return false;
  return subscription.status !== 'canceled' && hasActiveSubscription(subscription, now);
}
