import type { Subscription } from '#core/billing/subscription.ts';
import {
  hasActiveSubscription,
  isTrialExpiringSoon,
  trialDaysRemaining,
} from '#core/billing/subscription.ts';
import { counted } from '#core/labels.ts';
import { fullTime } from '#core/new-york.ts';
import type { Instant } from '#core/time.ts';
import { afterTrialCopy, planLabel } from './plan-copy.ts';

interface Banner {
  title: string;
  text: string;
  color: 'yellow' | 'red' | 'gray';
}

export interface BillingCopy {
  badge: { text: string; color: 'green' | 'blue' | 'yellow' | 'red' | 'gray' };
  /** The next event with a date; null: none. */
  line: string | null;
  /** The next charge and its date; null: the banner or the plan already says it. */
  charge: string | null;
  banner: Banner | null;
}

const ACTIVE: BillingCopy['badge'] = { text: 'Active', color: 'green' };
const TRIAL: BillingCopy['badge'] = { text: 'Trial', color: 'blue' };
const CANCELED: BillingCopy['badge'] = { text: 'Canceled', color: 'red' };
const UNKNOWN: BillingCopy['badge'] = { text: 'Unknown', color: 'gray' };

/** The texts of a subscription (SET-08). */
export function billingCopy(subscription: Subscription, now: Instant): BillingCopy {
  const { status, renews, canceledAt, trialEnd, currentPeriodEnd } = subscription;
  const end = fullTime(currentPeriodEnd);
  const none = { line: null, charge: null, banner: null };
  if (status === 'unknown') return { ...none, badge: UNKNOWN, banner: UNKNOWN_STATUS };
  if (status === 'past_due' || status === 'unpaid') {
    // A canceled subscription still owes its payment until it ends.
    return { ...none, ...OWES[status], line: canceledAt === null ? null : `Ends on ${end}` };
  }
  const isOver = !hasActiveSubscription(subscription, now);
  if (status === 'canceled' || (isOver && !renews)) {
    return { ...none, badge: CANCELED, line: `${isOver ? 'Ended' : 'Ends'} on ${end}` };
  }
  if (now >= currentPeriodEnd) {
    return { ...none, badge: UNKNOWN, line: `Was due to renew on ${end}`, banner: UNCONFIRMED };
  }
  if (status === 'active') return { ...none, badge: ACTIVE, line: `${renews ? 'Renews' : 'Ends'} on ${end}` };
  const left = counted(trialDaysRemaining(subscription, now) ?? 0, 'day');
  const line = `${left} remaining, until ${fullTime(trialEnd ?? currentPeriodEnd)}`;
  const charge = afterTrialCopy(subscription);
  return isTrialExpiringSoon(subscription, now)
    ? {
        ...none,
        badge: TRIAL,
        line,
        banner: { title: 'Your trial ends soon', text: charge, color: 'yellow' },
      }
    : { ...none, badge: TRIAL, line, charge };
}

/** A subscription as sentences. */
export function subscriptionText(subscription: Subscription, now: Instant): string {
  const { line, charge, banner } = billingCopy(subscription, now);
  const sentences = [`${planLabel(subscription)}.`, line && `${line}.`, charge, banner?.text];
  return sentences.filter(Boolean).join(' ');
}

const OWES: Record<'past_due' | 'unpaid', Pick<BillingCopy, 'badge' | 'banner'>> = {
  past_due: {
    badge: { text: 'Past Due', color: 'yellow' },
    banner: {
      title: 'Payment Issue',
      text: 'Your last payment didn’t go through. We’ll retry over the next few days. Until it’s paid, new outages won’t pause your campaigns. Please check your card.',
      color: 'yellow',
    },
  },
  unpaid: {
    badge: { text: 'Unpaid', color: 'red' },
    banner: {
      title: 'Payment Failed',
      text: 'Your subscription is suspended because we couldn’t charge your card. Until it’s paid, new outages won’t pause your campaigns. Use another card or pay the open invoice.',
      color: 'red',
    },
  },
};

const UNKNOWN_STATUS: Banner = {
  title: 'Status unknown',
  text: 'Stripe reports a status that SmartPause doesn’t recognize. Until your subscription is active, new outages won’t pause your campaigns.',
  color: 'gray',
};

const UNCONFIRMED: Banner = {
  title: 'Renewal not confirmed yet',
  text: 'Waiting for Stripe to confirm your renewal. This page updates automatically.',
  color: 'gray',
};
