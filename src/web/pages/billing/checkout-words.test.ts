import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { doneWords, leftWords } from './checkout-words.ts';

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

test.each<[string, Partial<Subscription>, string, RegExp, string]>([
  [
    'active',
    {},
    'Your subscription is active',
    /^Yearly plan, \$278\.00 per year\. It renews on Jan 18/,
    'campaigns',
  ],
  [
    'a trial',
    trial,
    'Your free trial has begun',
    /^You pay nothing today\. Then \$278\.00 per year from Jan 18, 2026, unless/,
    'campaigns',
  ],
  [
    'granted',
    { renews: false },
    'Your subscription is active',
    /granted free of charge\. It ends on/,
    'campaigns',
  ],
  [
    'cancelled, still running',
    canceled,
    'Your subscription is canceled, and still runs',
    new RegExp(`goes on until ${END}`),
    'billing',
  ],
  ['past due', { status: 'past_due' }, 'Payment Issue', /did not go through/, 'billing'],
  ['unpaid', { status: 'unpaid' }, 'Payment Failed', /suspended/, 'billing'],
])('[ROUTE-08] the success page with a subscription that is %s', (_name, change, title, text, next) => {
  const words = doneWords({ ...base, ...change }, now);
  expect(words).toMatchObject({ title, next });
  expect(words?.text).toMatch(text);
});

test('[ROUTE-08] without one that runs or owes, news may be on the way', () => {
  expect(doneWords(null, now)).toBeNull();
  expect(doneWords({ ...base, ...canceled, ...over }, now)).toBeNull();
  expect(doneWords({ ...base, ...over }, now)).toBeNull();
});

test.each<[string, Partial<Subscription> | null, RegExp, string]>([
  ['nobody', null, /^You were not charged, and nothing has begun/, 'plans'],
  ['over', { ...canceled, ...over }, /Your last subscription ended on Jan 7, 2026/, 'plans'],
  ['active', {}, new RegExp(`it renews on ${END}`), 'campaigns'],
  ['on trial', trial, /Your free trial goes on\. Then \$278\.00 per year from Jan 18, 2026/, 'campaigns'],
  ['granted', { renews: false }, /free of charge until Jan 18/, 'campaigns'],
  ['cancelled, still running', canceled, /you canceled goes on until Jan 18/, 'campaigns'],
  ['past due', { status: 'past_due' }, /did not go through/, 'billing'],
  ['unpaid', { status: 'unpaid' }, /suspended/, 'billing'],
  ['not known to be renewed', over, /has not told us yet/, 'billing'],
])('[ROUTE-09] who leaves a checkout and is %s', (name, change, text, next) => {
  const words = leftWords(change === null ? null : { ...base, ...change }, now);
  expect(words.text).toMatch(text);
  expect(words.next).toBe(next);
  if (name !== 'nobody') expect(words.text).not.toMatch(/nothing has begun/);
});
