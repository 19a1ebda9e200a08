import { expect, test } from 'vitest';
import type { Subscription } from '#core/billing/subscription.ts';
import { days, hours } from '#core/time.ts';
import { billingCopy } from './billing-copy.ts';

const now = Date.parse('2026-01-09T02:30:00Z');

const base: Subscription = {
  status: 'active',
  planType: 'monthly',
  currentPeriodEnd: now + days(10),
  canceledAt: null,
  trialEnd: null,
  renews: true,
};
const END = 'Jan 18, 2026, 9:30 PM EST';
const canceled: Partial<Subscription> = { status: 'canceled', renews: false, canceledAt: now - days(1) };
const trial: Partial<Subscription> = { status: 'trialing', trialEnd: now + days(10) };
const soon = { trialEnd: now + days(2) + hours(1), currentPeriodEnd: now + days(2) + hours(1) };
const over = { currentPeriodEnd: now - days(1) };
const YESTERDAY = 'Jan 7, 2026, 9:30 PM EST';

test.each<[string, Partial<Subscription>, [string, string], string | null, string | null]>([
  ['active', {}, ['Active', 'green'], `Renews on ${END}`, null],
  ['an admin grant', { renews: false }, ['Active', 'green'], `Ends on ${END}`, null],
  ['a trial', trial, ['Trial', 'blue'], `10 days remaining, until ${END}`, null],
  [
    'a trial that ends soon',
    { ...trial, ...soon },
    ['Trial', 'blue'],
    '3 days remaining, until Jan 10, 2026, 10:30 PM EST',
    'Your trial ends soon',
  ],
  ['past due', { status: 'past_due' }, ['Past Due', 'yellow'], null, 'Payment Issue'],
  ['unpaid', { status: 'unpaid' }, ['Unpaid', 'red'], null, 'Payment Failed'],
  [
    'past due, cancelled',
    { ...canceled, status: 'past_due' },
    ['Past Due', 'yellow'],
    `Ends on ${END}`,
    'Payment Issue',
  ],
  [
    'unpaid, cancelled',
    { ...canceled, status: 'unpaid' },
    ['Unpaid', 'red'],
    `Ends on ${END}`,
    'Payment Failed',
  ],
  ['a status that we do not know', { status: 'unknown' }, ['Unknown', 'gray'], null, 'Status unknown'],
  ['canceled', canceled, ['Canceled', 'red'], `Ends on ${END}`, null],
  ['canceled, over', { ...canceled, ...over }, ['Canceled', 'red'], `Ended on ${YESTERDAY}`, null],
  ['a grant, over', { ...over, renews: false }, ['Canceled', 'red'], `Ended on ${YESTERDAY}`, null],
  [
    'active, but its period is over',
    over,
    ['Unknown', 'gray'],
    `Was due to renew on ${YESTERDAY}`,
    'Renewal not confirmed yet',
  ],
])('[SET-08, SUB-02] %s', (_name, change, [text, color], line, banner) => {
  const words = billingCopy({ ...base, ...change }, now);
  expect(words).toMatchObject({ badge: { text, color }, line });
  expect(words.banner?.title ?? null).toBe(banner);
});

test('[SET-08] unpaid says that the subscription is suspended', () => {
  expect(billingCopy({ ...base, status: 'unpaid' }, now).banner?.text).toMatch(/suspended/);
});

test('[SET-08, SUB-02] a trial says once what is charged at its end', () => {
  const charge = 'Then $29.00 per month from Jan 18, 2026, unless you cancel before then.';
  expect(billingCopy({ ...base, ...trial }, now)).toMatchObject({ charge, banner: null });
  const words = billingCopy({ ...base, ...trial, ...soon, planType: 'yearly' }, now);
  expect(words.charge).toBeNull();
  expect(words.banner?.text).toBe('Then $278.00 per year from Jan 10, 2026, unless you cancel before then.');
});
