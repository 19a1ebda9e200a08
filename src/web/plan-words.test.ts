import { expect, test } from 'vitest';
import {
  billedWords,
  fullPrice,
  paymentAddress,
  pricePerMonth,
  readPlan,
  savingsPercent,
} from './plan-words.ts';

test('[PRICE-01, SUB-01] prices are per month, and the saving is reckoned from them', () => {
  expect(pricePerMonth('monthly')).toBe('$29.00');
  expect(pricePerMonth('yearly')).toBe('$23.17');
  expect(fullPrice('monthly')).toBe('$29.00 per month');
  expect(fullPrice('yearly')).toBe('$278.00 per year');
  expect(savingsPercent()).toBe(20);
});

test.each([
  ['yearly', true, 'Billed annually ($278) after trial'],
  ['yearly', false, 'Billed annually ($278)'],
  ['monthly', true, 'Billed monthly after trial'],
  ['monthly', false, 'Billed monthly'],
] as const)('[PRICE-01] the %s plan, with a trial: %s, is %s', (plan, withTrial, words) => {
  expect(billedWords(plan, withTrial)).toBe(words);
});

test.each([
  ['yearly', 'yearly'],
  ['YEARLY', 'yearly'],
  ['annual', 'yearly'],
  [' Year', 'yearly'],
  ['Monthly', 'monthly'],
  ['month', 'monthly'],
  ['weekly', null],
  ['toString', null],
  ['', null],
  [null, null],
])('the plan %j is %s', (text, plan) => {
  expect(readPlan(text)).toBe(plan);
});

test('an address names the plan when one is known', () => {
  expect([paymentAddress('yearly'), paymentAddress(null)]).toEqual(['/payment?plan=yearly', '/payment']);
});
