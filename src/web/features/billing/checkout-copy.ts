import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { billingCopy } from './billing-copy.ts';
import { afterTrialCopy, isGranted, planLabel } from './plan-copy.ts';

export type NextStep = 'campaigns' | 'billing' | 'plans';

export interface DoneCopy {
  title: string;
  text: string;
  next: NextStep;
}

/** The state after a checkout. Null: no subscription is active or owes, so its webhook may be pending. */
export function doneCopy(subscription: Subscription | null, now: Instant): DoneCopy | null {
  if (subscription === null) return null;
  const { banner } = billingCopy(subscription, now);
  if (needsPayment(subscription) && banner !== null) {
    return { title: banner.title, text: banner.text, next: 'billing' };
  }
  if (!hasActiveSubscription(subscription, now)) return null;
  const end = fullTime(subscription.currentPeriodEnd);
  if (subscription.status === 'trialing') {
    const text = `You pay nothing today. ${afterTrialCopy(subscription)}`;
    return { title: 'Your free trial has started', text, next: 'campaigns' };
  }
  if (subscription.status === 'canceled') {
    const title = 'Your subscription is canceled but still active';
    const text = `SmartPause keeps working until ${end}. You won’t be charged after that. Changed your mind? Renew it under Billing.`;
    return { title, text, next: 'billing' };
  }
  const text = `${planLabel(subscription)}. It ${isGranted(subscription) ? 'ends' : 'renews'} on ${end}.`;
  return { title: 'Your subscription is active', text, next: 'campaigns' };
}

export type LeftCopy = Omit<DoneCopy, 'title'>;

/** The state after a user left a checkout. @param subscription the one from before; null: none is known */
export function leftCopy(subscription: Subscription | null, now: Instant): LeftCopy {
  const notCharged = 'You weren’t charged for this checkout.';
  if (subscription === null) {
    return { text: 'You left checkout before paying. You weren’t charged.', next: 'plans' };
  }
  const end = fullTime(subscription.currentPeriodEnd);
  if (hasActiveSubscription(subscription, now)) {
    return { text: `${notCharged} ${goesOnCopy(subscription, end)}`, next: 'campaigns' };
  }
  // A payment is open, or the renewal is not confirmed yet.
  const { banner } = billingCopy(subscription, now);
  return banner === null
    ? { text: `${notCharged} Your last subscription ended on ${end}.`, next: 'plans' }
    : { text: `${notCharged} ${banner.text}`, next: 'billing' };
}

function goesOnCopy(subscription: Subscription, end: string): string {
  if (isGranted(subscription)) return `Your free subscription continues until ${end}.`;
  if (subscription.status === 'trialing') return `Your free trial continues. ${afterTrialCopy(subscription)}`;
  return subscription.status === 'canceled'
    ? `The subscription you canceled stays active until ${end}.`
    : `Your current subscription continues. It renews on ${end}.`;
}

/** Stripe's are about 70 characters long. */
const SESSION_ID = /^cs_\w{1,150}$/;

/** The checkout session id from the address; null: not a valid id. */
export function shownSessionId(params: URLSearchParams): string | null {
  const id = params.get('session_id') ?? '';
  return SESSION_ID.test(id) ? id : null;
}
