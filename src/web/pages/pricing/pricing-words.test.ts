import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { pricingWords } from './pricing-words.ts';

const subscription: Subscription = {
  status: 'active',
  planType: 'monthly',
  currentPeriodEnd: Date.parse('2026-01-19T02:30:00Z'),
  canceledAt: null,
  trialEnd: null,
  renews: true,
};
const words = (change: Partial<Subscription>, hasActiveSubscription: boolean, isTrialAvailable = false) =>
  pricingWords({ subscription: { ...subscription, ...change }, hasActiveSubscription, isTrialAvailable });
const everyWord = (said: object) => Object.values(said).join(' ');

test('somebody new is promised a trial, and somebody who had it is told that the plan is charged today', () => {
  const nobody = { subscription: null, hasActiveSubscription: false };
  expect(everyWord(pricingWords({ ...nobody, isTrialAvailable: true }))).toMatch(/free for 30 days/);
  const again = pricingWords({ ...nobody, isTrialAvailable: false });
  expect(again.title).toBe('Choose your plan');
  expect(again.small).toMatch(/^You have had your free trial, so your plan begins and is charged today\./);
});

test('[PRICE-04] of somebody who owes, the payment is the matter', () => {
  for (const status of ['past_due', 'unpaid'] as const) {
    for (const renews of [true, false]) {
      expect(words({ status, renews }, false).title).toBe('Your payment did not go through');
    }
  }
});

test('[PRICE-04] a subscription that may not be active is not sold again', () => {
  for (const status of ['unknown', 'active'] as const) {
    const said = words({ status }, false, true);
    expect(said.title).toBe('You already have a subscription');
    expect(everyWord(said)).not.toMatch(/trial|free/i);
  }
});

test('to whom it was granted, nothing is sold', () => {
  const granted = words({ renews: false, planType: 'yearly' }, true, true);
  expect(granted.text).toBe(
    'Your subscription was granted to you until Jan 18, 2026, 9:30 PM EST. There is nothing to pay.',
  );
  expect(everyWord(granted)).not.toMatch(/trial|cancel|billing/i);
});

test('a subscriber is not asked to choose, and one who cancelled is told how long it lasts', () => {
  expect(words({}, true).title).toBe('You are subscribed');
  expect(words({ status: 'canceled', renews: false }, true).text).toMatch(/until Jan 18, 2026, 9:30 PM EST/);
  expect(words({ status: 'canceled', renews: false }, false).title).toBe('Choose your plan');
});
