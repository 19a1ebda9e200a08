import { expect, test } from 'vitest';
import type { StripePrice } from './stripe-price.ts';
import { priceFault } from './stripe-price.ts';

const MONTHLY = { isActive: true, currency: 'usd', amount: 2900, interval: 'month', intervalCount: 1 };

test.each<[string, Partial<StripePrice>, RegExp | null]>([
  ['as the pages say', {}, null],
  ['of the other plan', { amount: 27_800, interval: 'year' }, /^costs 27800 cents in usd, not 2900 in usd$/],
  ['of another currency', { currency: 'eur' }, /in eur, not/],
  ['of no fixed amount', { amount: null }, /no fixed number of cents/],
  ['paid by the year', { interval: 'year' }, /not paid once a month/],
  ['paid every other month', { intervalCount: 2 }, /not paid once a month/],
  ['archived', { isActive: false }, /^is archived$/],
])('[SUB-01] 16: a price for the monthly plan %s', (_title, over, fault) => {
  const found = priceFault({ ...MONTHLY, ...over }, 'monthly');
  expect(found === null ? null : fault?.test(found)).toBe(fault === null ? null : true);
});

test('16: the yearly plan is 278 dollars a year', () => {
  expect(priceFault({ ...MONTHLY, amount: 27_800, interval: 'year' }, 'yearly')).toBeNull();
  expect(priceFault(MONTHLY, 'yearly')).toMatch(/not 27800 in usd/);
});
