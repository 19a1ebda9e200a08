import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { subscriptionText } from './billing-copy.ts';
import { doneTitle, nextStep, shownSessionId } from './checkout-copy.ts';

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

test.each<[string, Partial<Subscription>, title: string | null, text: string, next: string]>([
  [
    ...(['active', {}, 'Your subscription is active'] as const),
    ...([`Yearly plan, $278.00 per year. Renews on ${END}.`, 'campaigns'] as const),
  ],
  [
    ...(['a trial', trial, 'Your free trial has started'] as const),
    `Yearly plan, $278.00 per year. 10 days remaining, until ${END}. Then $278.00 per year from Jan 18, 2026, unless you cancel before then.`,
    'campaigns',
  ],
  [
    ...(['granted', { renews: false }, 'Your subscription is active'] as const),
    ...([`Yearly plan, granted free of charge. Ends on ${END}.`, 'campaigns'] as const),
  ],
  [
    ...(['canceled, still running', canceled, 'Your subscription is active'] as const),
    ...([`Yearly plan, $278.00 per year. Ends on ${END}.`, 'billing'] as const),
  ],
  ['past due', { status: 'past_due' }, 'Payment Issue', 'Your last payment didn’t go through.', 'billing'],
  ['unpaid', { status: 'unpaid' }, 'Payment Failed', 'Your subscription is suspended', 'billing'],
  ['not known to be renewed', over, null, 'Waiting for Stripe', 'billing'],
  ['over', { ...canceled, ...over }, null, 'Ended on Jan 7, 2026, 9:30 PM EST.', 'plans'],
])(
  '[ROUTE-08, ROUTE-09] after a checkout with a subscription that is %s',
  (_name, change, title, text, next) => {
    const subscription = { ...base, ...change };
    expect(doneTitle(subscription, now)).toBe(title);
    expect(subscriptionText(subscription, now)).toContain(text);
    expect(nextStep(subscription, now)).toBe(next);
  },
);

test('[ROUTE-08, ROUTE-09] without a subscription, its webhook may be pending, and the plans are next', () => {
  expect(doneTitle(null, now)).toBeNull();
  expect(nextStep(null, now)).toBe('plans');
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
