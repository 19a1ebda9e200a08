import { expect, test } from 'vitest';
import { addressToContinueAt, readPricingAddress, withCycle, withModal } from './address.ts';

const read = (query: string) => readPricingAddress(new URLSearchParams(query));

test.each([
  ['', null, false],
  ['plan=yearly', null, false],
  ['cycle=monthly', 'monthly', false],
  ['cycle=weekly', 'monthly', false],
  ['modal=open&cycle=yearly', 'yearly', true],
  ['modal=true', null, false],
])('[ROUTE-04] ?%s is the %s plan, modal open: %s', (query, named, isModalOpen) => {
  expect(read(query)).toEqual({ named, isModalOpen });
});

test('[ROUTE-04] a change keeps the rest of the address', () => {
  expect(withCycle(new URLSearchParams('modal=open&from=mail'), 'yearly').toString()).toBe(
    'modal=open&from=mail&cycle=yearly',
  );
  expect(withModal(new URLSearchParams('from=mail'), { cycle: 'yearly', isOpen: true }).toString()).toBe(
    'from=mail&cycle=yearly&modal=open',
  );
  const open = new URLSearchParams('modal=open&cycle=yearly');
  expect(withModal(open, { cycle: 'yearly', isOpen: false }).toString()).toBe('cycle=yearly');
});

test('[PRICE-03] login returns to the open modal of the same plan', () => {
  expect(addressToContinueAt('yearly')).toBe('/payment?modal=open&cycle=yearly');
});
