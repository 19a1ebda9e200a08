import { expect, test } from 'vitest';
import type Stripe from 'stripe';
import { priceFault } from './price.ts';

const price = (over: object = {}, recurring: object = {}) =>
  ({
    ...{ active: true, currency: 'usd', unit_amount: 2900 },
    recurring: { interval: 'month', interval_count: 1, ...recurring },
    ...over,
  }) as Stripe.Price;

test.each<[string, Stripe.Price, RegExp]>([
  ['of the other plan', price({ unit_amount: 27_800 }), /^costs 27800 cents in usd, not 2900 in usd$/],
  ['of another currency', price({ currency: 'eur' }), /in eur, not/],
  ['of no fixed amount', price({ unit_amount: null }), /no fixed number of cents/],
  ['paid by the year', price({}, { interval: 'year' }), /not paid once a month/],
  ['paid every other month', price({}, { interval_count: 2 }), /not paid once a month/],
  ['paid once', price({ recurring: null }), /not paid once a month/],
  ['archived', price({ active: false }), /^is archived$/],
])('[SUB-01] 16: a price for the monthly plan %s is refused', (_title, given, fault) => {
  expect(priceFault(given, 'monthly')).toMatch(fault);
});

test('[SUB-01] 16: 29 dollars a month and 278 dollars a year are sold', () => {
  expect(priceFault(price(), 'monthly')).toBeNull();
  expect(priceFault(price({ unit_amount: 27_800 }, { interval: 'year' }), 'yearly')).toBeNull();
  expect(priceFault(price(), 'yearly')).toMatch(/not 27800 in usd/);
});
