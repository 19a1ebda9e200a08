import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { checkoutState, hasActiveSubscription } from '#core/billing/subscription.ts';
import { days, hours } from '#core/time.ts';
import {
  billingCopy,
  buttonLabel,
  doneTitle,
  nextStep,
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
const YESTERDAY = 'Jan 7, 2026, 9:30 PM EST';
const canceled = { status: 'canceled', renews: false, canceledAt: now - days(1) } as const;
const over = { currentPeriodEnd: now - days(1) };
const trial = { status: 'trialing', trialEnd: now + days(10) } as const;
const soon = { trialEnd: now + days(2) + hours(1), currentPeriodEnd: now + days(2) + hours(1) };

interface Row {
  name: string;
  change: Partial<Subscription>;
  /** Badge with its colour, next date, title of the banner. */
  settings: [badge: string, color: string, line: string | null, banner?: string];
  /** After a checkout: the heading and the next step. */
  done: [title: string | null, next: string];
  /** On the pricing page: the heading, and the button if it offers no plan. */
  pricing: [title: string, button?: string];
}

const SUBSCRIBED = ['You’re subscribed', 'Already Subscribed'] as const;
const OWES = ['Your payment didn’t go through', 'Payment Issue - Go to Settings'] as const;
const PERHAPS = ['You already have a subscription', 'Already Subscribed'] as const;

test.each<Row>([
  {
    name: 'active',
    change: {},
    settings: ['Active', 'green', `Renews on ${END}`],
    done: ['Your subscription is active', 'campaigns'],
    pricing: [...SUBSCRIBED],
  },
  {
    name: 'granted by an admin',
    change: { renews: false },
    settings: ['Active', 'green', `Ends on ${END}`],
    done: ['Your subscription is active', 'campaigns'],
    pricing: [...SUBSCRIBED],
  },
  {
    name: 'in its trial',
    change: trial,
    settings: ['Trial', 'blue', `10 days remaining, until ${END}`],
    done: ['Your free trial has started', 'campaigns'],
    pricing: [...SUBSCRIBED],
  },
  {
    name: 'at the end of its trial',
    change: { ...trial, ...soon },
    settings: ['Trial', 'blue', '3 days remaining, until Jan 10, 2026, 10:30 PM EST', 'Your trial ends soon'],
    done: ['Your free trial has started', 'campaigns'],
    pricing: [...SUBSCRIBED],
  },
  {
    name: 'past due',
    change: { status: 'past_due' },
    settings: ['Past Due', 'yellow', null, 'Payment Issue'],
    done: ['Payment Issue', 'billing'],
    pricing: [...OWES],
  },
  {
    name: 'unpaid and canceled',
    change: { ...canceled, status: 'unpaid' },
    settings: ['Unpaid', 'red', `Ends on ${END}`, 'Payment Failed'],
    done: ['Payment Failed', 'billing'],
    pricing: [...OWES],
  },
  {
    name: 'of an unknown status',
    change: { status: 'unknown' },
    settings: ['Unknown', 'gray', null, 'Status unknown'],
    done: [null, 'billing'],
    pricing: [...PERHAPS],
  },
  {
    name: 'paused',
    change: { status: 'unknown', isPaused: true },
    settings: ['Paused', 'gray', null, 'Subscription paused'],
    done: [null, 'billing'],
    pricing: [...PERHAPS],
  },
  {
    name: 'canceled, still running',
    change: canceled,
    settings: ['Canceled', 'red', `Ends on ${END}`],
    done: ['Your subscription is active', 'billing'],
    pricing: [...SUBSCRIBED],
  },
  {
    name: 'canceled and over',
    change: { ...canceled, ...over },
    settings: ['Canceled', 'red', `Ended on ${YESTERDAY}`],
    done: [null, 'plans'],
    pricing: ['Choose your plan'],
  },
  {
    name: 'a grant that is over',
    change: { ...over, renews: false },
    settings: ['Canceled', 'red', `Ended on ${YESTERDAY}`],
    done: [null, 'billing'],
    pricing: ['Choose your plan'],
  },
  {
    name: 'not known to be renewed',
    change: over,
    settings: ['Unknown', 'gray', `Was due to renew on ${YESTERDAY}`, 'Renewal not confirmed yet'],
    done: [null, 'billing'],
    pricing: [...PERHAPS],
  },
])(
  '[SET-08, SUB-02, PRICE-02, PRICE-04, ROUTE-08, ROUTE-09] a subscription that is $name',
  ({ change, settings: [text, color, line, banner], done, pricing }) => {
    const subscription = { ...base, ...change };
    const isActive = hasActiveSubscription(subscription, now);
    const copy = billingCopy(subscription, now);
    expect(copy).toMatchObject({ badge: { text, color }, line });
    expect(copy.banner?.title).toBe(banner);
    expect([doneTitle(subscription, now), nextStep(subscription, now)]).toEqual(done);
    const shown = pricingCopy(
      { subscription, hasActiveSubscription: isActive, isTrialAvailable: false },
      now,
    );
    const button = buttonLabel(checkoutState(subscription, isActive), 'yearly');
    expect([shown.title, button]).toEqual([pricing[0], pricing[1] ?? 'Get Started - Yearly']);
  },
);

test('[SET-08] unpaid says that the subscription is suspended', () => {
  expect(billingCopy({ ...base, status: 'unpaid' }, now).banner?.text).toMatch(/suspended/);
});

test('[SET-08, SUB-02] a trial says once what is charged at its end', () => {
  const charge = 'Then $278.00 per year from Jan 18, 2026, unless you cancel before then.';
  const words = billingCopy({ ...base, ...trial }, now);
  expect([words.charge, words.banner]).toEqual([charge, null]);
  expect(subscriptionText({ ...base, ...trial }, now)).toBe(
    `Yearly plan, $278.00 per year. 10 days remaining, until ${END}. ${charge}`,
  );
  const atEnd = billingCopy({ ...base, ...trial, ...soon, planType: 'monthly' }, now);
  expect([atEnd.charge, atEnd.banner?.text]).toEqual([
    null,
    'Then $29.00 per month from Jan 10, 2026, unless you cancel before then.',
  ]);
});

test('without a subscription the plans are next: a trial, or a charge today', () => {
  expect([doneTitle(null, now), nextStep(null, now)]).toEqual([null, 'plans']);
  const none = { subscription: null, hasActiveSubscription: false };
  expect(pricingCopy({ ...none, isTrialAvailable: true }, now).title).toMatch(/free for 30 days/);
  const again = pricingCopy({ ...none, isTrialAvailable: false }, now);
  expect(again.chargeNote).toMatch(/^You’ve already used your free trial, so you’re charged today\./);
});

test('a user with a granted subscription is not offered a plan', () => {
  const subscription = { ...base, renews: false };
  const words = pricingCopy({ subscription, hasActiveSubscription: true, isTrialAvailable: true }, now);
  expect(words).toEqual({
    title: 'You’re subscribed',
    text: `Yearly plan, granted free of charge. Ends on ${END}.`,
    chargeNote: 'You don’t need a plan until then.',
  });
});

test('[PRICE-02] the label while the checkout starts, and for the monthly plan', () => {
  expect(buttonLabel('processing', 'monthly')).toBe('Processing...');
  expect(buttonLabel('may_subscribe', 'monthly')).toBe('Get Started - Monthly');
});

test.each([
  ['', null],
  ['session_id=cs_live_A1b2_C3', 'cs_live_A1b2_C3'],
  ['session_id=cs_', null],
  ['session_id=<b>bold</b>', null],
  ['session_id=cs_test_a1 call 555-0100', null],
  ['session_id=cs_test_a1%0A', null],
  [`session_id=cs_${'a'.repeat(5000)}`, null],
])('[ROUTE-08] ?%s shows %s', (query, shown) => {
  expect(shownSessionId(new URLSearchParams(query))).toBe(shown);
});
