import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import { TRIAL_DAYS, checkoutState } from '#core/billing/subscription.ts';
import { isGranted } from '../../text/plan-words.ts';

export interface PricingWords {
  title: string;
  text: string;
  /** What matters at the button; null: the page has something better to say there. */
  small: string | null;
}

interface Situation {
  subscription: Subscription | null;
  hasActiveSubscription: boolean;
  isTrialAvailable: boolean;
}

const EVERYTHING = 'Everything SmartPause does, on every ad account you have.';

/** What the page of plans promises, which hangs on what the person has already. */
export function pricingWords({
  subscription,
  hasActiveSubscription,
  isTrialAvailable,
}: Situation): PricingWords {
  const state = checkoutState(subscription, hasActiveSubscription);
  if (state === 'payment_issue') {
    const text = 'Until it does, SmartPause pauses nothing new. Your settings are kept.';
    return { title: 'Your payment did not go through', text, small: null };
  }
  if (hasActiveSubscription && subscription !== null) return subscribedWords(subscription);
  if (state === 'subscribed') {
    const text = 'We can’t confirm that it is active. Check its status in Billing Settings.';
    return { title: 'You already have a subscription', text, small: null };
  }
  return isTrialAvailable
    ? {
        title: `Try SmartPause free for ${TRIAL_DAYS} days`,
        text: `${EVERYTHING} Pay nothing until the trial is over.`,
        small: 'No charge today. One free trial per person; cancel before it ends and you pay nothing.',
      }
    : {
        title: 'Choose your plan',
        text: EVERYTHING,
        small:
          'You have had your free trial, so your plan begins and is charged today. You can cancel anytime.',
      };
}

function subscribedWords(subscription: Subscription): PricingWords {
  const end = fullTime(subscription.currentPeriodEnd);
  if (isGranted(subscription)) {
    return {
      title: 'SmartPause is yours, free of charge',
      text: `Your subscription was granted to you until ${end}. There is nothing to pay.`,
      small: 'You need no plan while it lasts.',
    };
  }
  if (subscription.status !== 'canceled')
    return { title: 'You are subscribed', text: EVERYTHING, small: null };
  const text = `You canceled your plan: SmartPause goes on until ${end}, and nothing is charged after that.`;
  return { title: 'You are still subscribed', text, small: null };
}
