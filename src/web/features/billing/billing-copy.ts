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
import { days } from '#core/time.ts';
import { besideOwn, dateOf } from '../../lib/times.ts';
import { afterTrialCopy, fullPrice, isGranted, planLabel } from '../subscription/plan-copy.ts';

/** `late`: its renewal is due, and Stripe has not confirmed it. */
type ShownStatus = SubscriptionStatus | 'late' | 'paused';

interface StatusCopy {
  badge: string;
  /** Of the badge and the banner. */
  color: 'green' | 'blue' | 'yellow' | 'red' | 'gray';
  /** Of the banner. */
  title?: string;
  text?: string;
}

const STATUSES: Record<ShownStatus, StatusCopy> = {
  active: { badge: 'Active', color: 'green' },
  trialing: { badge: 'Trial', color: 'blue' },
  canceled: { badge: 'Canceled', color: 'red' },
  past_due: {
    badge: 'Past Due',
    color: 'yellow',
    title: 'Payment Issue',
    text: 'Your last payment didn’t go through. We’ll retry over the next few days. Until it’s paid, new outages won’t pause your campaigns. Please check your card.',
  },
  unpaid: {
    badge: 'Unpaid',
    color: 'red',
    title: 'Payment Failed',
    text: 'Your subscription is suspended because we couldn’t charge your card. Until it’s paid, new outages won’t pause your campaigns. Use another card or pay the open invoice.',
  },
  unknown: {
    badge: 'Unknown',
    color: 'gray',
    title: 'Status unknown',
    text: 'Stripe reports a status that SmartPause doesn’t recognize. Until your subscription is active, new outages won’t pause your campaigns.',
  },
  paused: {
    badge: 'Paused',
    color: 'gray',
    title: 'Subscription paused',
    text: 'Nothing is charged, and new outages won’t pause your campaigns. Contact us to continue your subscription.',
  },
  late: {
    badge: 'Unknown',
    color: 'gray',
    title: 'Renewal not confirmed yet',
    text: 'Waiting for Stripe to confirm your renewal. This page updates automatically.',
  },
};

/** The texts of a subscription (SET-08). `line`: its next date, `lineAt`; `charge`: the next charge, unless the banner says it. */
export function billingCopy(subscription: Subscription, now: Instant) {
  const status = shownStatus(subscription, now);
  const { badge, color, title, text = '' } = STATUSES[status];
  const charge = status === 'trialing' ? afterTrialCopy(subscription) : null;
  const { trialEnd, currentPeriodEnd } = subscription;
  const lineAt = status === 'trialing' ? (trialEnd ?? currentPeriodEnd) : currentPeriodEnd;
  const shown = { badge, color, line: nextDate(subscription, status, lineAt, now), lineAt };
  if (charge === null || !isTrialExpiringSoon(subscription, now))
    return { ...shown, charge, banner: title === undefined ? null : { title, text, color } };
  const endsSoon = { title: 'Your trial ends soon', text: charge, color: 'yellow' } as const;
  return { ...shown, charge: null, banner: endsSoon };
}

/** One that is over has ended, unless its renewal is only late. */
function shownStatus(subscription: Subscription, now: Instant): ShownStatus {
  const { status, renews, currentPeriodEnd } = subscription;
  if (status === 'unknown' && subscription.isPaused === true) return 'paused';
  const mayRenew = status === 'active' || status === 'trialing';
  if (!mayRenew || now < currentPeriodEnd) return status;
  return renews ? 'late' : 'canceled';
}

function nextDate(subscription: Subscription, status: ShownStatus, at: Instant, now: Instant): string | null {
  const { renews, canceledAt } = subscription;
  const end = fullTime(at);
  // A canceled subscription still owes its payment until it ends.
  if (needsPayment({ status })) return canceledAt === null ? null : `Ends on ${end}`;
  if (status === 'canceled')
    return `${hasActiveSubscription(subscription, now) ? 'Ends' : 'Ended'} on ${end}`;
  if (status === 'late') return `Was due to renew on ${end}`;
  if (status === 'active') return `${renews ? 'Renews' : 'Ends'} on ${end}`;
  if (status !== 'trialing') return null;
  return `${daysLeft(subscription, now)} remaining, until ${end}`;
}

function daysLeft(subscription: Subscription, now: Instant): string {
  return counted(trialDaysRemaining(subscription, now) ?? 0, 'day');
}

/** A subscription as sentences; of a trial the price and the date once. */
export function subscriptionText(subscription: Subscription, now: Instant): string {
  const { line, lineAt, charge, banner } = billingCopy(subscription, now);
  if (shownStatus(subscription, now) === 'trialing')
    return `${daysLeft(subscription, now)} left. ${charge ?? banner?.text ?? ''}`;
  const sentences = [
    `${planLabel(subscription)}.`,
    line && `${line}${besideOwn(lineAt)}.`,
    charge,
    banner?.text,
  ];
  return sentences.filter(Boolean).join(' ');
}

interface Situation {
  subscription: Subscription | null;
  hasActiveSubscription: boolean;
  isTrialAvailable: boolean;
  /** The subscription could not be read. */
  error?: Error | null;
}

/** The texts of the pricing page. `charge`: what and from when; null: the button offers nothing. `chargeNote`: its conditions. */
export function pricingCopy(situation: Situation, cycle: PlanType, now: Instant) {
  const { subscription, hasActiveSubscription: isActive, isTrialAvailable } = situation;
  const state = checkoutState(subscription, isActive);
  if (situation.error != null)
    return {
      title: 'Your plan couldn’t be loaded',
      text: 'Try again before you choose one.',
      charge: null,
      chargeNote: null,
    };
  if (state === 'payment_issue') {
    const text = 'Until it’s paid, new outages won’t pause your campaigns. Your settings are kept.';
    return { title: 'Your payment didn’t go through', text, charge: null, chargeNote: null };
  }
  if (state === 'subscribed' && subscription !== null) {
    return {
      title: isActive
        ? `You’re ${subscription.status === 'trialing' ? 'on your free trial' : 'subscribed'}`
        : 'You already have a subscription',
      text: subscriptionText(subscription, now),
      charge: null,
      chargeNote: isGranted(subscription) ? 'You don’t need a plan until then.' : null,
    };
  }
  const everything = 'Every feature, on all your ad accounts.';
  return isTrialAvailable
    ? {
        title: `Try SmartPause free for ${TRIAL_DAYS} days`,
        text: `${everything} You pay nothing until the trial ends.`,
        charge: `${fullPrice(cycle)} from ${dateOf(now + days(TRIAL_DAYS))}`,
        chargeNote:
          'Card required, nothing is charged today. Cancel before then in Settings → Billing. One free trial per person.',
      }
    : {
        title: 'Choose your plan',
        text: everything,
        charge: `${fullPrice(cycle)} from today`,
        chargeNote:
          'You’ve already used your free trial, so you’re charged today. Cancel anytime in Settings → Billing.',
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

/** After a checkout: the heading, and where the user continues. Null: none is active or owes; its webhook may be pending. */
export function afterCheckout(subscription: Subscription | null, now: Instant) {
  if (subscription === null) return null;
  const { status } = subscription;
  if (needsPayment(subscription)) return { title: STATUSES[status].title ?? '', next: 'billing' } as const;
  if (!hasActiveSubscription(subscription, now)) return null;
  const title = status === 'trialing' ? 'Your free trial has started' : 'Your subscription is active';
  return { title, next: status === 'canceled' ? 'billing' : 'campaigns' } as const;
}

/** The checkout session id from the address; null: not a valid id. Stripe's are about 70 characters long. */
export function shownSessionId(params: URLSearchParams): string | null {
  return /^cs_\w{1,150}$/.exec(params.get('session_id') ?? '')?.[0] ?? null;
}
