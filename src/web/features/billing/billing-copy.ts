import type {
  CheckoutState,
  PlanType,
  Subscription,
  SubscriptionStatus,
} from '#core/billing/subscription.ts';
import {
  TRIAL_DAYS,
  checkoutState,
  hasActiveSubscription,
  isTrialExpiringSoon,
  needsPayment,
  trialDaysRemaining,
} from '#core/billing/subscription.ts';
import { counted } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { afterTrialCopy, isGranted, planLabel } from './plan-copy.ts';

/** `late`: its renewal is due, and Stripe has not confirmed it. */
type ShownStatus = SubscriptionStatus | 'late' | 'paused';

interface Banner {
  title: string;
  text: string;
  color: 'yellow' | 'red' | 'gray';
}

const BADGES: Record<ShownStatus, { text: string; color: 'green' | 'blue' | 'yellow' | 'red' | 'gray' }> = {
  active: { text: 'Active', color: 'green' },
  trialing: { text: 'Trial', color: 'blue' },
  past_due: { text: 'Past Due', color: 'yellow' },
  unpaid: { text: 'Unpaid', color: 'red' },
  canceled: { text: 'Canceled', color: 'red' },
  unknown: { text: 'Unknown', color: 'gray' },
  late: { text: 'Unknown', color: 'gray' },
  paused: { text: 'Paused', color: 'gray' },
};

const BANNERS: Partial<Record<ShownStatus, Banner>> = {
  past_due: {
    title: 'Payment Issue',
    text: 'Your last payment didn’t go through. We’ll retry over the next few days. Until it’s paid, new outages won’t pause your campaigns. Please check your card.',
    color: 'yellow',
  },
  unpaid: {
    title: 'Payment Failed',
    text: 'Your subscription is suspended because we couldn’t charge your card. Until it’s paid, new outages won’t pause your campaigns. Use another card or pay the open invoice.',
    color: 'red',
  },
  unknown: {
    title: 'Status unknown',
    text: 'Stripe reports a status that SmartPause doesn’t recognize. Until your subscription is active, new outages won’t pause your campaigns.',
    color: 'gray',
  },
  paused: {
    title: 'Subscription paused',
    text: 'Nothing is charged, and new outages won’t pause your campaigns. Contact us to continue your subscription.',
    color: 'gray',
  },
  late: {
    title: 'Renewal not confirmed yet',
    text: 'Waiting for Stripe to confirm your renewal. This page updates automatically.',
    color: 'gray',
  },
};

/** The texts of a subscription (SET-08). `line`: its next date; `charge`: the next charge, unless the banner says it. */
export function billingCopy(subscription: Subscription, now: Instant) {
  const status = shownStatus(subscription, now);
  const isTrial = status === 'trialing';
  const charge = isTrial ? afterTrialCopy(subscription) : null;
  const endsSoon: Banner | null =
    isTrial && isTrialExpiringSoon(subscription, now)
      ? { title: 'Your trial ends soon', text: afterTrialCopy(subscription), color: 'yellow' }
      : null;
  return {
    badge: BADGES[status],
    line: nextDate(subscription, status, now),
    charge: endsSoon === null ? charge : null,
    banner: endsSoon ?? BANNERS[status] ?? null,
  };
}

/** One that is over has ended, unless its renewal is only late. */
function shownStatus(subscription: Subscription, now: Instant): ShownStatus {
  const { status, renews, currentPeriodEnd } = subscription;
  if (status === 'unknown' && subscription.isPaused === true) return 'paused';
  const mayRenew = status === 'active' || status === 'trialing';
  if (!mayRenew || now < currentPeriodEnd) return status;
  return renews ? 'late' : 'canceled';
}

function nextDate(subscription: Subscription, status: ShownStatus, now: Instant): string | null {
  const { renews, canceledAt, trialEnd, currentPeriodEnd } = subscription;
  const end = fullTime(currentPeriodEnd);
  if (status === 'unknown' || status === 'paused') return null;
  // A canceled subscription still owes its payment until it ends.
  if (needsPayment({ status })) return canceledAt === null ? null : `Ends on ${end}`;
  if (status === 'canceled')
    return `${hasActiveSubscription(subscription, now) ? 'Ends' : 'Ended'} on ${end}`;
  if (status === 'late') return `Was due to renew on ${end}`;
  if (status === 'active') return `${renews ? 'Renews' : 'Ends'} on ${end}`;
  const left = counted(trialDaysRemaining(subscription, now) ?? 0, 'day');
  return `${left} remaining, until ${fullTime(trialEnd ?? currentPeriodEnd)}`;
}

/** A subscription as sentences. */
export function subscriptionText(subscription: Subscription, now: Instant): string {
  const { line, charge, banner } = billingCopy(subscription, now);
  const sentences = [`${planLabel(subscription)}.`, line && `${line}.`, charge, banner?.text];
  return sentences.filter(Boolean).join(' ');
}

interface Situation {
  subscription: Subscription | null;
  hasActiveSubscription: boolean;
  isTrialAvailable: boolean;
}

/** The texts of the pricing page. `chargeNote`: when the card is charged; null: the button offers nothing. */
export function pricingCopy(situation: Situation, now: Instant) {
  const { subscription, hasActiveSubscription: isActive, isTrialAvailable } = situation;
  const state = checkoutState(subscription, isActive);
  if (state === 'payment_issue') {
    const text = 'Until it’s paid, new outages won’t pause your campaigns. Your settings are kept.';
    return { title: 'Your payment didn’t go through', text, chargeNote: null };
  }
  if (state === 'subscribed' && subscription !== null) {
    return {
      title: isActive ? 'You’re subscribed' : 'You already have a subscription',
      text: subscriptionText(subscription, now),
      chargeNote: isGranted(subscription) ? 'You don’t need a plan until then.' : null,
    };
  }
  const everything = 'Every feature, on all your ad accounts.';
  return isTrialAvailable
    ? {
        title: `Try SmartPause free for ${TRIAL_DAYS} days`,
        text: `${everything} You pay nothing until the trial ends.`,
        chargeNote: 'No charge today. One free trial per person. Cancel before it ends and pay nothing.',
      }
    : {
        title: 'Choose your plan',
        text: everything,
        chargeNote: 'You’ve already used your free trial, so you’re charged today. Cancel anytime.',
      };
}

/** The label of the button (PRICE-02). */
export function buttonLabel(state: CheckoutState | 'processing', cycle: PlanType): string {
  return {
    may_subscribe: cycle === 'yearly' ? 'Get Started - Yearly' : 'Get Started - Monthly',
    processing: 'Processing...',
    subscribed: 'Already Subscribed',
    payment_issue: 'Payment Issue - Go to Settings',
  }[state];
}

/** The heading after a checkout. Null: no subscription is active or owes, so its webhook may be pending. */
export function doneTitle(subscription: Subscription | null, now: Instant): string | null {
  if (subscription === null) return null;
  if (needsPayment(subscription)) return BANNERS[subscription.status]?.title ?? null;
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

/** The checkout session id from the address; null: not a valid id. Stripe's are about 70 characters long. */
export function shownSessionId(params: URLSearchParams): string | null {
  return /^cs_\w{1,150}$/.exec(params.get('session_id') ?? '')?.[0] ?? null;
}
