import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { checkoutState, hasActiveSubscription } from '#core/billing/subscription.ts';
import { days, hours } from '#core/time.ts';
import {
  afterCheckout,
  billingCopy,
  buttonLabel,
  pricingCopy,
  shownSessionId,
  subscriptionText,
} from './billing-copy.ts';

const now = Date.parse('2026-01-09T02:30:00Z');
const base: Subscription = {
  status: 'active',
  planType: 'yearly',
  currentPeriodEnd: now + days(10),
  canceledAt: null,
  trialEnd: null,
  renews: true,
};
const END = 'Jan 18, 2026, 9:30 PM EST';
const canceled = { status: 'canceled', renews: false, canceledAt: now - days(1) } as const;
const over = { currentPeriodEnd: now - days(1) };
const trial = { status: 'trialing', trialEnd: now + days(10) } as const;
const soon = { trialEnd: now + days(2) + hours(1), currentPeriodEnd: now + days(2) + hours(1) };

/** Badge with its color, next date, banner | after a checkout: title and next step | pricing: title and button. */
test.each<[name: string, change: Partial<Subscription>, shown: string]>([
  [
    'active',
    {},
    `Active green, Renews on ${END}, - | Your subscription is active > campaigns | You’re subscribed: Already Subscribed`,
  ],
  [
    'granted by an admin',
    { renews: false },
    `Active green, Ends on ${END}, - | Your subscription is active > campaigns | You’re subscribed: Already Subscribed`,
  ],
  [
    'in its trial',
    trial,
    `Trial blue, 10 days remaining, until ${END}, - | Your free trial has started > campaigns | You’re on your free trial: Already Subscribed`,
  ],
  [
    'at the end of its trial',
    { ...trial, ...soon },
    'Trial blue, 3 days remaining, until Jan 10, 2026, 10:30 PM EST, Your trial ends soon yellow | Your free trial has started > campaigns | You’re on your free trial: Already Subscribed',
  ],
  [
    'past due',
    { status: 'past_due' },
    'Past Due yellow, -, Payment Issue yellow | Payment Issue > billing | Your payment didn’t go through: Payment Issue - Go to Settings',
  ],
  [
    'unpaid and canceled',
    { ...canceled, status: 'unpaid' },
    `Unpaid red, Ends on ${END}, Payment Failed red | Payment Failed > billing | Your payment didn’t go through: Payment Issue - Go to Settings`,
  ],
  [
    'of an unknown status',
    { status: 'unknown' },
    'Unknown gray, -, Status unknown gray | - | You already have a subscription: Already Subscribed',
  ],
  [
    'paused',
    { status: 'unknown', isPaused: true },
    'Paused gray, -, Subscription paused gray | - | You already have a subscription: Already Subscribed',
  ],
  [
    'canceled, still running',
    canceled,
    `Canceled red, Ends on ${END}, - | Your subscription is active > billing | You’re subscribed: Already Subscribed`,
  ],
  [
    'canceled and over',
    { ...canceled, ...over },
    'Canceled red, Ended on Jan 7, 2026, 9:30 PM EST, - | - | Choose your plan: Get Started - Yearly',
  ],
  [
    'a grant that is over',
    { ...over, renews: false },
    'Canceled red, Ended on Jan 7, 2026, 9:30 PM EST, - | - | Choose your plan: Get Started - Yearly',
  ],
  [
    'not known to be renewed',
    over,
    'Unknown gray, Was due to renew on Jan 7, 2026, 9:30 PM EST, Renewal not confirmed yet gray | - | You already have a subscription: Already Subscribed',
  ],
])(
  '[SET-08, SUB-02, PRICE-02, PRICE-04, ROUTE-08, ROUTE-09] a subscription that is %s',
  (_name, change, shown) => {
    const subscription = { ...base, ...change };
    const isActive = hasActiveSubscription(subscription, now);
    const { badge, color, line, banner } = billingCopy(subscription, now);
    const done = afterCheckout(subscription, now);
    const situation = { subscription, hasActiveSubscription: isActive, isTrialAvailable: false };
    const pricing = `${pricingCopy(situation, 'yearly', now).title}: ${buttonLabel(checkoutState(subscription, isActive), 'yearly')}`;
    const billing = `${badge} ${color}, ${line ?? '-'}, ${banner ? `${banner.title} ${banner.color}` : '-'}`;
    expect(`${billing} | ${done ? `${done.title} > ${done.next}` : '-'} | ${pricing}`).toBe(shown);
  },
);

test('[SET-08] unpaid says that the subscription is suspended', () => {
  expect(billingCopy({ ...base, status: 'unpaid' }, now).banner?.text).toMatch(/suspended/);
});

test('[SET-08, SUB-02] a trial says once what is charged at its end', () => {
  const charge = 'Then $278.00 per year from Jan\u00a018,\u00a02026, unless you cancel before then.';
  const copy = billingCopy({ ...base, ...trial }, now);
  expect([copy.charge, copy.banner]).toEqual([charge, null]);
  expect(subscriptionText({ ...base, ...trial }, now)).toBe(`10 days left. ${charge}`);
  expect(billingCopy({ ...base, ...trial, planType: null }, now).charge).toMatch(
    /^Then the price of your plan from /,
  );
  const atEnd = billingCopy({ ...base, ...trial, ...soon, planType: 'monthly' }, now);
  expect(atEnd.charge).toBeNull();
  expect(atEnd.banner?.text).toMatch(/^Then \$29\.00 per month from Jan\u00a010,\u00a02026/);
});

test('[UX-24] without a subscription, a plan starts with a trial or a charge today', () => {
  expect(afterCheckout(null, now)).toBeNull();
  const none = { subscription: null, hasActiveSubscription: false };
  const first = pricingCopy({ ...none, isTrialAvailable: true }, 'yearly', now);
  expect(first.title).toMatch(/free for 30 days/);
  expect(first.chargeNote).toBe(
    'Card required, nothing is charged today. Cancel before then in Settings → Billing. One free trial per person.',
  );
  expect(first.charge).toBe('$278.00 per year from Feb\u00a07,\u00a02026');
  const again = pricingCopy({ ...none, isTrialAvailable: false }, 'monthly', now);
  expect(again.charge).toBe('$29.00 per month from today');
});

test('a user with a granted subscription is not offered a plan', () => {
  const subscription = { ...base, renews: false };
  const copy = pricingCopy(
    { subscription, hasActiveSubscription: true, isTrialAvailable: true },
    'yearly',
    now,
  );
  expect(copy).toEqual({
    title: 'You’re subscribed',
    text: `Yearly plan, granted free of charge. Ends on ${END}.`,
    charge: null,
    chargeNote: 'You don’t need a plan until then.',
  });
});

test.each([
  ['session_id=cs_live_A1b2_C3', 'cs_live_A1b2_C3'],
  ['session_id=cs_', null],
  ['session_id=cs_test_a1 call 555-0100', null],
  [`session_id=cs_${'a'.repeat(5000)}`, null],
])('[ROUTE-08] ?%s shows %s', (query, shown) => {
  expect(shownSessionId(new URLSearchParams(query))).toBe(shown);
});
