import { expect, test } from 'vitest';
import { addressToContinueAt, readPricingAddress, withCycle, withModal } from './address.ts';

const read = (query: string) => readPricingAddress(new URLSearchParams(query));

test.each([
  ['', 'monthly', false],
  ['cycle=monthly', 'monthly', false],
  ['cycle=yearly', 'yearly', false],
  ['cycle=weekly', 'monthly', false],
  ['cycle=YEARLY', 'monthly', false],
  ['cycle=toString', 'monthly', false],
  ['cycle=', 'monthly', false],
  ['modal=open&cycle=yearly', 'yearly', true],
  ['modal=true', 'monthly', false],
])('[ROUTE-04] ?%s is the %s plan, modal open: %s', (query, cycle, isModalOpen) => {
  expect(read(query)).toEqual({ cycle, isModalOpen });
});

test('[ROUTE-04] a change keeps the rest of the address', () => {
  expect(withCycle(new URLSearchParams('modal=open&from=mail'), 'yearly').toString()).toBe(
    'modal=open&from=mail&cycle=yearly',
  );
  expect(withModal(new URLSearchParams('from=mail&cycle=never'), true).toString()).toBe(
    'from=mail&cycle=monthly&modal=open',
  );
  expect(withModal(new URLSearchParams('modal=open&cycle=yearly'), false).toString()).toBe('cycle=yearly');
});

test('[PRICE-03] the login comes back to the open modal of the same plan', () => {
  expect(addressToContinueAt('yearly')).toBe('/payment?modal=open&cycle=yearly');
});
