import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { deletionCopy, revocationCopy } from './leaving-copy.ts';

const now = Date.parse('2026-01-09T02:30:00Z');
const base: Subscription = {
  status: 'canceled',
  planType: 'monthly',
  currentPeriodEnd: now + days(10),
  canceledAt: now - days(1),
  trialEnd: null,
  renews: false,
};

test.each<[string, Partial<Subscription>, RegExp]>([
  [
    'cancelled, still running',
    {},
    /ends immediately instead of on Jan 18, 2026, 9:30 PM EST\. .*isn’t refunded/,
  ],
  ['past due', { status: 'past_due', renews: true }, /ends immediately\. .*you won’t be charged again/],
  ['unpaid', { status: 'unpaid', renews: true }, /ends immediately\. .*you won’t be charged again/],
  [
    'of an unknown status',
    { status: 'unknown', renews: true },
    /ends immediately\. .*you won’t be charged again/,
  ],
])('[SET-11] a deletion ends a subscription that is %s', (_name, change, words) => {
  expect(deletionCopy({ ...base, ...change }, now)).toMatch(words);
});

test('[SET-11] without a subscription to end, the text is empty', () => {
  expect(deletionCopy(null, now)).toBeNull();
  expect(deletionCopy({ ...base, currentPeriodEnd: now }, now)).toBeNull();
});

test('[SET-12] a revocation names the subscription that goes on and costs money', () => {
  expect(revocationCopy({ ...base, status: 'active', renews: true })).toMatch(/^Your subscription continues/);
  expect(revocationCopy(base)).toBeNull();
  expect(revocationCopy(null)).toBeNull();
});
