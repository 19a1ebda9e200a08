import { expect, test } from 'vitest';
import { readCycle } from './plan-copy.ts';
import { addressToContinueAt, isModalIn, withCycle } from './address.ts';

test.each([
  ['', null, false],
  ['plan=yearly', null, false],
  ['cycle=monthly', 'monthly', false],
  ['cycle=weekly', 'monthly', false],
  ['modal=open&cycle=yearly', 'yearly', true],
  ['modal=true', null, false],
])('[ROUTE-04] ?%s is the %s plan, modal open: %s', (query, cycle, isModalOpen) => {
  const params = new URLSearchParams(query);
  expect([readCycle(params), isModalIn(params)]).toEqual([cycle, isModalOpen]);
});

test('[ROUTE-04] a change keeps the rest of the address', () => {
  const changed = (query: string, ...[isOpen]: [isOpen?: boolean]) =>
    withCycle(new URLSearchParams(query), 'yearly', isOpen).toString();
  expect(changed('modal=open&from=mail')).toBe('modal=open&from=mail&cycle=yearly');
  expect(changed('from=mail', true)).toBe('from=mail&cycle=yearly&modal=open');
  expect(changed('modal=open&cycle=yearly', false)).toBe('cycle=yearly');
});

test('[PRICE-03] login returns to the open modal of the same plan', () => {
  expect(addressToContinueAt('yearly')).toBe('/payment?modal=open&cycle=yearly');
});
