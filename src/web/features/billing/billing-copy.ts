import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import {
  hasActiveSubscription,
  isTrialExpiringSoon,
  trialDaysRemaining,
} from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/labels.ts';
import { afterTrialCopy } from './plan-copy.ts';

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

/** The texts of a subscription (SET-08). */
export function billingCopy(subscription: Subscription, now: Instant): BillingCopy {
  const isOver = !hasActiveSubscription(subscription, now);
  switch (subscription.status) {
    case 'active':
      return isOver ? overCopy(subscription) : activeCopy(subscription);
    case 'trialing':
      return isOver ? overCopy(subscription) : trialCopy(subscription, now);
    case 'canceled':
      return canceledCopy(subscription, isOver);
    case 'past_due':
      return unpaidCopy(subscription, { text: 'Past Due', color: 'yellow' }, PAST_DUE);
    case 'unpaid':
      return unpaidCopy(subscription, { text: 'Unpaid', color: 'red' }, UNPAID);
    case 'unknown':
      return { badge: { text: 'Unknown', color: 'gray' }, line: null, charge: null, banner: UNKNOWN };
  }
}

const PAST_DUE: Banner = {
  title: 'Payment Issue',
  text: 'Your last payment didn’t go through. We’ll retry over the next few days. Until it’s paid, new outages won’t pause your campaigns. Please check your card.',
  color: 'yellow',
};
const UNPAID: Banner = {
  title: 'Payment Failed',
  text: 'Your subscription is suspended because we couldn’t charge your card. Until it’s paid, new outages won’t pause your campaigns. Use another card or pay the open invoice.',
  color: 'red',
};
const UNKNOWN: Banner = {
  title: 'Status unknown',
  text: 'Stripe reports a status that SmartPause doesn’t recognize. Until your subscription is active, new outages won’t pause your campaigns.',
  color: 'gray',
};
const TRIAL_ENDS = { title: 'Your trial ends soon', color: 'yellow' } as const;
const UNCONFIRMED: Banner = {
  title: 'Renewal not confirmed yet',
  text: 'Waiting for Stripe to confirm your renewal. This page updates automatically.',
  color: 'gray',
};

function activeCopy({ currentPeriodEnd, renews }: Subscription): BillingCopy {
  const line = `${renews ? 'Renews' : 'Ends'} on ${fullTime(currentPeriodEnd)}`;
  return { badge: { text: 'Active', color: 'green' }, line, charge: null, banner: null };
}

function trialCopy(subscription: Subscription, now: Instant): BillingCopy {
  const { trialEnd, currentPeriodEnd } = subscription;
  const isSoon = isTrialExpiringSoon(subscription, now);
  const charge = afterTrialCopy(subscription);
  const left = trialDaysRemaining(subscription, now) ?? 0;
  return {
    badge: { text: 'Trial', color: 'blue' },
    line: `${counted(left, 'day')} remaining, until ${fullTime(trialEnd ?? currentPeriodEnd)}`,
    charge: isSoon ? null : charge,
    banner: isSoon ? { ...TRIAL_ENDS, text: charge } : null,
  };
}

function canceledCopy({ currentPeriodEnd }: Subscription, isOver: boolean): BillingCopy {
  const line = `${isOver ? 'Ended' : 'Ends'} on ${fullTime(currentPeriodEnd)}`;
  return { badge: { text: 'Canceled', color: 'red' }, line, charge: null, banner: null };
}

/** A canceled subscription still owes its payment until it ends. */
function unpaidCopy(subscription: Subscription, badge: BillingCopy['badge'], banner: Banner): BillingCopy {
  const { canceledAt, currentPeriodEnd } = subscription;
  const line = canceledAt === null ? null : `Ends on ${fullTime(currentPeriodEnd)}`;
  return { badge, line, charge: null, banner };
}

/** The period is over: its renewal is not confirmed yet, or it does not renew. */
function overCopy(subscription: Subscription): BillingCopy {
  if (!subscription.renews) return canceledCopy(subscription, true);
  const line = `Was due to renew on ${fullTime(subscription.currentPeriodEnd)}`;
  return { badge: { text: 'Unknown', color: 'gray' }, line, charge: null, banner: UNCONFIRMED };
}
