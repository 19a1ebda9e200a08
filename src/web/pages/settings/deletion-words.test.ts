import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { deletionWords } from './deletion-words.ts';

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
  ['cancelled, still running', {}, /until Jan 18, 2026, 9:30 PM EST, ends at once\. .*not refunded/],
  ['past due', { status: 'past_due', renews: true }, /ends at once\. .*nothing will be charged any more/],
  ['unpaid', { status: 'unpaid', renews: true }, /ends at once\. .*nothing will be charged any more/],
  ['of an unknown status', { status: 'unknown', renews: true }, /ends at once\. .*nothing will be charged/],
])('[SET-11] a deletion ends a subscription that is %s', (_name, change, words) => {
  expect(deletionWords({ ...base, ...change }, now)).toMatch(words);
});

test('[SET-11] where there is nothing to end, nothing is said of it', () => {
  expect(deletionWords(null, now)).toBeNull();
  expect(deletionWords({ ...base, currentPeriodEnd: now }, now)).toBeNull();
});
