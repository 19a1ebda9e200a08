import type { CheckoutState, PlanType, Subscription } from '#core/billing/subscription.ts';
import { TRIAL_DAYS, checkoutState } from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { subscriptionText } from './billing-copy.ts';
import { isGranted } from './plan-copy.ts';

export interface PricingCopy {
  title: string;
  text: string;
  /** The line below the button; null: none. */
  chargeNote: string | null;
}

interface Situation {
  subscription: Subscription | null;
  hasActiveSubscription: boolean;
  isTrialAvailable: boolean;
}

const EVERYTHING = 'Every feature, on all your ad accounts.';

/** The texts of the pricing page, which depend on the user's subscription. */
export function pricingCopy(
  { subscription, hasActiveSubscription, isTrialAvailable }: Situation,
  now: Instant,
): PricingCopy {
  const state = checkoutState(subscription, hasActiveSubscription);
  if (state === 'payment_issue') {
    const text = 'Until it’s paid, new outages won’t pause your campaigns. Your settings are kept.';
    return { title: 'Your payment didn’t go through', text, chargeNote: null };
  }
  if (state === 'subscribed' && subscription !== null) {
    return {
      title: hasActiveSubscription ? 'You’re subscribed' : 'You already have a subscription',
      text: subscriptionText(subscription, now),
      chargeNote: isGranted(subscription) ? 'You don’t need a plan until then.' : null,
    };
  }
  return isTrialAvailable
    ? {
        title: `Try SmartPause free for ${TRIAL_DAYS} days`,
        text: `${EVERYTHING} You pay nothing until the trial ends.`,
        chargeNote: 'No charge today. One free trial per person. Cancel before it ends and pay nothing.',
      }
    : {
        title: 'Choose your plan',
        text: EVERYTHING,
        chargeNote: 'You’ve already used your free trial, so you’re charged today. Cancel anytime.',
      };
}

/** The label of the button (PRICE-02). */
export function buttonLabel(state: CheckoutState | 'processing', cycle: PlanType): string {
  if (state === 'may_subscribe') return cycle === 'yearly' ? 'Get Started - Yearly' : 'Get Started - Monthly';
  return {
    processing: 'Processing...',
    subscribed: 'Already Subscribed',
    payment_issue: 'Payment Issue - Go to Settings',
  }[state];
}
