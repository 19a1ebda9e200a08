import { expect, test } from 'vitest';
import type { SubscriptionStatus } from '#core/billing/subscription.ts';
import { checkoutState } from '#core/billing/subscription.ts';
import { buttonLabel } from './button-label.ts';

const subscribed = (status: SubscriptionStatus, renews = true) => ({
  status,
  planType: 'monthly' as const,
  currentPeriodEnd: 0,
  canceledAt: null,
  trialEnd: null,
  renews,
});

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
] as const)('[PRICE-02, PRICE-04] %s', (_name, subscription, hasActiveSubscription, words) => {
  expect(buttonLabel(checkoutState(subscription, hasActiveSubscription), 'yearly')).toBe(words);
});

test('[PRICE-02] the label while the checkout starts, and for the monthly plan', () => {
  expect(buttonLabel('processing', 'monthly')).toBe('Processing...');
  expect(buttonLabel('may_subscribe', 'monthly')).toBe('Get Started - Monthly');
});
