import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { hasActiveSubscription, needsPayment } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { billingWords } from '../../text/billing-words.ts';
import { afterTrialWords, isGranted, planWords } from '../../text/plan-words.ts';

/** Where the person goes on. */
export type NextStep = 'campaigns' | 'billing' | 'plans';

export interface DoneWords {
  title: string;
  text: string;
  next: NextStep;
}

/** After a checkout: what is so now. Null: there is no subscription that runs or owes, so its news may be on the way. */
export function doneWords(subscription: Subscription | null, now: Instant): DoneWords | null {
  if (subscription === null) return null;
  const { banner } = billingWords(subscription, now);
  if (needsPayment(subscription) && banner !== null) {
    return { title: banner.title, text: banner.text, next: 'billing' };
  }
  if (!hasActiveSubscription(subscription, now)) return null;
  const end = fullTime(subscription.currentPeriodEnd);
  if (subscription.status === 'trialing') {
    const text = `You pay nothing today. ${afterTrialWords(subscription)}`;
    return { title: 'Your free trial has begun', text, next: 'campaigns' };
  }
  if (subscription.status === 'canceled') {
    const title = 'Your subscription is canceled, and still runs';
    const text = `SmartPause goes on until ${end}, and nothing is charged after that. If you have changed your mind, renew it under Billing.`;
    return { title, text, next: 'billing' };
  }
  const text = `${planWords(subscription)}. It ${isGranted(subscription) ? 'ends' : 'renews'} on ${end}.`;
  return { title: 'Your subscription is active', text, next: 'campaigns' };
}

export type LeftWords = Omit<DoneWords, 'title'>;

/** Of somebody of whose subscription nothing is known. */
export const LEFT_UNKNOWN: LeftWords = {
  text: 'You left the checkout before you paid, so it charged you nothing.',
  next: 'plans',
};

/** After a checkout was left: what is so now, with what was there before. */
export function leftWords(subscription: Subscription | null, now: Instant): LeftWords {
  const notCharged = 'You were not charged for this checkout.';
  if (subscription === null) {
    const text = 'You were not charged, and nothing has begun. You can take a plan whenever you like.';
    return { text, next: 'plans' };
  }
  const end = fullTime(subscription.currentPeriodEnd);
  if (hasActiveSubscription(subscription, now)) {
    return { text: `${notCharged} ${goesOnWords(subscription, end)}`, next: 'campaigns' };
  }
  // It owes, or nobody has heard yet whether it was renewed.
  const { banner } = billingWords(subscription, now);
  return banner === null
    ? { text: `${notCharged} Your last subscription ended on ${end}.`, next: 'plans' }
    : { text: `${notCharged} ${banner.text}`, next: 'billing' };
}

function goesOnWords(subscription: Subscription, end: string): string {
  if (isGranted(subscription)) return `Your subscription goes on free of charge until ${end}.`;
  if (subscription.status === 'trialing') return `Your free trial goes on. ${afterTrialWords(subscription)}`;
  return subscription.status === 'canceled'
    ? `The subscription you canceled goes on until ${end}.`
    : `The subscription you have goes on: it renews on ${end}.`;
}
