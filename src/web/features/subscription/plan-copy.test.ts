import { expect, test } from 'vitest';
import {
  billedLabel,
  fullPrice,
  paymentAddress,
  pricePerMonth,
  readCycle,
  savingsPercent,
} from './plan-copy.ts';

test('[PRICE-01, SUB-01] prices are per month, and the saving is computed from them', () => {
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
  expect(billedLabel(plan, withTrial)).toBe(words);
});

test.each([
  ['', null],
  ['plan=yearly', null],
  ['cycle=yearly', 'yearly'],
  ['cycle=monthly', 'monthly'],
  ['cycle=weekly', 'monthly'],
  ['cycle=YEARLY', 'monthly'],
  ['cycle=toString', 'monthly'],
  ['cycle=', 'monthly'],
])('[ROUTE-04] ?%s names the plan %s', (query, plan) => {
  expect(readCycle(new URLSearchParams(query))).toBe(plan);
});

test('[LAND-04, ROUTE-04] the address of a plan names its cycle', () => {
  expect(paymentAddress(null)).toBe('/payment');
  expect(paymentAddress('monthly')).toBe('/payment?cycle=monthly');
  expect(paymentAddress('yearly')).toBe('/payment?cycle=yearly');
  expect(paymentAddress('yearly', true)).toBe('/payment?modal=open&cycle=yearly');
  expect(paymentAddress(null, true)).toBe('/payment?modal=open');
});
