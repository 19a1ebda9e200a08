import { expect, test } from 'vitest';
import type { Subscription, SubscriptionStatus } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { buttonLabel, pricingCopy } from './pricing-copy.ts';

const NOW = Date.parse('2026-01-09T02:30:00Z');
const subscription: Subscription = {
  status: 'active',
  planType: 'monthly',
  currentPeriodEnd: Date.parse('2026-01-19T02:30:00Z'),
  canceledAt: null,
  trialEnd: null,
  renews: true,
};
const words = (change: Partial<Subscription>, hasActiveSubscription: boolean, isTrialAvailable = false) =>
  pricingCopy({ subscription: { ...subscription, ...change }, hasActiveSubscription, isTrialAvailable }, NOW);
const everyWord = (said: object) => Object.values(said).join(' ');

test('a new user is promised a trial, and a user who had one reads that the plan is charged today', () => {
  const unsubscribed = { subscription: null, hasActiveSubscription: false };
  expect(everyWord(pricingCopy({ ...unsubscribed, isTrialAvailable: true }, NOW))).toMatch(
    /free for 30 days/,
  );
  const again = pricingCopy({ ...unsubscribed, isTrialAvailable: false }, NOW);
  expect(again.title).toBe('Choose your plan');
  expect(again.chargeNote).toMatch(/^You’ve already used your free trial, so you’re charged today\./);
});

test('[PRICE-04] a user who owes sees the payment warning', () => {
  for (const status of ['past_due', 'unpaid'] as const) {
    for (const renews of [true, false]) {
      expect(words({ status, renews }, false).title).toBe('Your payment didn’t go through');
    }
  }
});

test('[PRICE-04] a subscription that may still be active is not sold again', () => {
  for (const status of ['unknown', 'active'] as const) {
    const said = words({ status }, false, true);
    expect(said.title).toBe('You already have a subscription');
    expect(everyWord(said)).not.toMatch(/trial|free/i);
  }
});

test('a user with a granted subscription is not offered a plan', () => {
  const granted = words({ renews: false, planType: 'yearly' }, true, true);
  expect(granted.text).toBe('Yearly plan, granted free of charge. Ends on Jan 18, 2026, 9:30 PM EST.');
  expect(everyWord(granted)).not.toMatch(/trial|cancel|billing/i);
});

test('a subscriber is not asked to choose, and one who canceled reads when it ends', () => {
  expect(words({}, true).title).toBe('You’re subscribed');
  expect(words({ status: 'canceled', renews: false }, true).text).toMatch(
    /Ends on Jan 18, 2026, 9:30 PM EST/,
  );
  expect(words({ status: 'canceled', renews: false }, false).title).toBe('Choose your plan');
});

const subscribed = (status: SubscriptionStatus, renews = true) => ({ ...subscription, status, renews });

test.each([
  ['no subscription', null, false, 'Get Started - Yearly'],
  ['active', subscribed('active'), true, 'Already Subscribed'],
  ['trialing', subscribed('trialing'), true, 'Already Subscribed'],
  ['canceled, running to its end', subscribed('canceled'), true, 'Already Subscribed'],
  ['canceled and over', subscribed('canceled'), false, 'Get Started - Yearly'],
  ['past_due', subscribed('past_due'), false, 'Payment Issue - Go to Settings'],
  ['past_due, cancelled', subscribed('past_due', false), false, 'Payment Issue - Go to Settings'],
  ['unpaid', subscribed('unpaid'), false, 'Payment Issue - Go to Settings'],
  ['unpaid, cancelled', subscribed('unpaid', false), false, 'Payment Issue - Go to Settings'],
  ['an unknown status', subscribed('unknown'), false, 'Already Subscribed'],
  ['a late renewal', subscribed('active'), false, 'Already Subscribed'],
] as const)('[PRICE-02, PRICE-04] %s', (_name, given, isActive, words) => {
  expect(buttonLabel(checkoutState(given, isActive), 'yearly')).toBe(words);
});

test('[PRICE-02] the label while the checkout starts, and for the monthly plan', () => {
  expect(buttonLabel('processing', 'monthly')).toBe('Processing...');
  expect(buttonLabel('may_subscribe', 'monthly')).toBe('Get Started - Monthly');
});
