import { fullTime } from '#core/new-york.ts';
import type { Subscription } from '#core/billing/subscription.ts';
import {
  hasActiveSubscription,
  isTrialExpiringSoon,
  trialDaysRemaining,
} from '#core/billing/subscription.ts';
import type { Instant } from '#core/time.ts';
import { counted } from '#core/words.ts';
import { afterTrialWords } from './plan-words.ts';

interface Banner {
  title: string;
  text: string;
  color: 'yellow' | 'red' | 'gray';
}

export interface BillingWords {
  badge: { text: string; color: 'green' | 'blue' | 'yellow' | 'red' | 'gray' };
  /** What happens when; null: nothing that has a date. */
  line: string | null;
  /** What will be charged and when, unless the banner says it; null: nothing that is not said by the plan. */
  charge: string | null;
  /** What the person should know or do. */
  banner: Banner | null;
}

/** A subscription as the pages tell of it (SET-08). */
export function billingWords(subscription: Subscription, now: Instant): BillingWords {
  const isOver = !hasActiveSubscription(subscription, now);
  switch (subscription.status) {
    case 'active':
      return isOver ? overWords(subscription) : activeWords(subscription);
    case 'trialing':
      return isOver ? overWords(subscription) : trialWords(subscription, now);
    case 'canceled':
      return canceledWords(subscription, isOver);
    case 'past_due':
      return unpaidWords(subscription, { text: 'Past Due', color: 'yellow' }, PAST_DUE);
    case 'unpaid':
      return unpaidWords(subscription, { text: 'Unpaid', color: 'red' }, UNPAID);
    case 'unknown':
      return { badge: { text: 'Unknown', color: 'gray' }, line: null, charge: null, banner: UNKNOWN };
  }
}

const PAST_DUE: Banner = {
  title: 'Payment Issue',
  text: 'Your last payment did not go through; it is tried again in the next days. Until it is paid, SmartPause pauses nothing new. Please check your card.',
  color: 'yellow',
};
const UNPAID: Banner = {
  title: 'Payment Failed',
  text: 'Your subscription is suspended, because it could not be paid. Until it is, SmartPause pauses nothing new. Please give another card or pay the open invoice.',
  color: 'red',
};
const UNKNOWN: Banner = {
  title: 'Status unknown',
  text: 'Our payment provider reports a status that SmartPause doesn’t recognize. Until your subscription is active, new outages won’t pause your campaigns.',
  color: 'gray',
};
const TRIAL_ENDS = { title: 'Your trial ends soon', color: 'yellow' } as const;
const UNCONFIRMED: Banner = {
  title: 'Renewal not confirmed yet',
  text: 'Our payment provider has not told us yet whether your subscription was renewed. This page looks again by itself.',
  color: 'gray',
};

function activeWords({ currentPeriodEnd, renews }: Subscription): BillingWords {
  const line = `${renews ? 'Renews' : 'Ends'} on ${fullTime(currentPeriodEnd)}`;
  return { badge: { text: 'Active', color: 'green' }, line, charge: null, banner: null };
}

function trialWords(subscription: Subscription, now: Instant): BillingWords {
  const { trialEnd, currentPeriodEnd } = subscription;
  const isSoon = isTrialExpiringSoon(subscription, now);
  const charge = afterTrialWords(subscription);
  const left = trialDaysRemaining(subscription, now) ?? 0;
  return {
    badge: { text: 'Trial', color: 'blue' },
    line: `${counted(left, 'day')} remaining, until ${fullTime(trialEnd ?? currentPeriodEnd)}`,
    charge: isSoon ? null : charge,
    banner: isSoon ? { ...TRIAL_ENDS, text: charge } : null,
  };
}

function canceledWords({ currentPeriodEnd }: Subscription, isOver: boolean): BillingWords {
  const line = `${isOver ? 'Ended' : 'Ends'} on ${fullTime(currentPeriodEnd)}`;
  return { badge: { text: 'Canceled', color: 'red' }, line, charge: null, banner: null };
}

/** A cancellation leaves the payment open until it takes effect. */
function unpaidWords(subscription: Subscription, badge: BillingWords['badge'], banner: Banner): BillingWords {
  const { canceledAt, currentPeriodEnd } = subscription;
  const line = canceledAt === null ? null : `Ends on ${fullTime(currentPeriodEnd)}`;
  return { badge, line, charge: null, banner };
}

/** Its period is over, and nobody has heard yet whether a new one has begun; or none was ever to begin. */
function overWords(subscription: Subscription): BillingWords {
  if (!subscription.renews) return canceledWords(subscription, true);
  const line = `Was to renew on ${fullTime(subscription.currentPeriodEnd)}`;
  return { badge: { text: 'Unknown', color: 'gray' }, line, charge: null, banner: UNCONFIRMED };
}
