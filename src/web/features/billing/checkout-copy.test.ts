import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { doneCopy, leftCopy, shownSessionId } from './checkout-copy.ts';

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
    'Your free trial has started',
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
    'Your subscription is canceled but still active',
    new RegExp(`keeps working until ${END}`),
    'billing',
  ],
  ['past due', { status: 'past_due' }, 'Payment Issue', /didn’t go through/, 'billing'],
  ['unpaid', { status: 'unpaid' }, 'Payment Failed', /suspended/, 'billing'],
])('[ROUTE-08] the success page with a subscription that is %s', (_name, change, title, text, next) => {
  const words = doneCopy({ ...base, ...change }, now);
  expect(words).toMatchObject({ title, next });
  expect(words?.text).toMatch(text);
});

test('[ROUTE-08] without a subscription that is active or owes, its webhook may be pending', () => {
  expect(doneCopy(null, now)).toBeNull();
  expect(doneCopy({ ...base, ...canceled, ...over }, now)).toBeNull();
  expect(doneCopy({ ...base, ...over }, now)).toBeNull();
});

test.each<[string, Partial<Subscription> | null, RegExp, string]>([
  ['not subscribed', null, /^You left checkout before paying\. You weren’t charged\.$/, 'plans'],
  ['over', { ...canceled, ...over }, /Your last subscription ended on Jan 7, 2026/, 'plans'],
  ['active', {}, new RegExp(`It renews on ${END}`), 'campaigns'],
  ['on trial', trial, /Your free trial continues\. Then \$278\.00 per year from Jan 18, 2026/, 'campaigns'],
  ['granted', { renews: false }, /free subscription continues until Jan 18/, 'campaigns'],
  ['cancelled, still running', canceled, /you canceled stays active until Jan 18/, 'campaigns'],
  ['past due', { status: 'past_due' }, /didn’t go through/, 'billing'],
  ['unpaid', { status: 'unpaid' }, /suspended/, 'billing'],
  ['not known to be renewed', over, /^You weren’t charged for this checkout\. Waiting for Stripe/, 'billing'],
])('[ROUTE-09] a user who leaves a checkout and is %s', (_name, change, text, next) => {
  const words = leftCopy(change === null ? null : { ...base, ...change }, now);
  expect(words.text).toMatch(text);
  expect(words.next).toBe(next);
});

test.each([
  ['', null],
  ['session_id=', null],
  ['session_id=cs_test_a1', 'cs_test_a1'],
  ['session_id=cs_live_A1b2_C3', 'cs_live_A1b2_C3'],
  ['session_id=cs_', null],
  ['session_id=<b>bold</b>', null],
  ['session_id=cs_test_a1 call 555-0100', null],
  ['session_id=cs_test_a1%0A', null],
  ['session_id=You have won', null],
  [`session_id=cs_${'a'.repeat(5000)}`, null],
])('[ROUTE-08] ?%s shows %s', (query, shown) => {
  expect(shownSessionId(new URLSearchParams(query))).toBe(shown);
});
