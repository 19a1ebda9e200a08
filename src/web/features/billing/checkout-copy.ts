import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { billingCopy } from './billing-copy.ts';

/** The heading after a checkout. Null: no subscription is active or owes, so its webhook may be pending. */
export function doneTitle(subscription: Subscription | null, now: Instant): string | null {
  if (subscription === null) return null;
  if (needsPayment(subscription)) return billingCopy(subscription, now).banner?.title ?? null;
  if (!hasActiveSubscription(subscription, now)) return null;
  return subscription.status === 'trialing' ? 'Your free trial has started' : 'Your subscription is active';
}

/** Where a user with this subscription continues after a checkout. */
export function nextStep(subscription: Subscription | null, now: Instant): 'campaigns' | 'billing' | 'plans' {
  if (subscription === null) return 'plans';
  const isActive = hasActiveSubscription(subscription, now);
  if (subscription.status === 'canceled') return isActive ? 'billing' : 'plans';
  return isActive ? 'campaigns' : 'billing';
}

/** Stripe's are about 70 characters long. */
const SESSION_ID = /^cs_\w{1,150}$/;

/** The checkout session id from the address; null: not a valid id. */
export function shownSessionId(params: URLSearchParams): string | null {
  const id = params.get('session_id') ?? '';
  return SESSION_ID.test(id) ? id : null;
}
