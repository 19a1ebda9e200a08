import { expect, test } from 'vitest';
import { nextOrder } from './use-stable-order.ts';

const KEPT = { lists: 1, key: 'default', ids: ['a', 'b', 'c'] };

test('[UX-04] rows keep their places while they are in use, also those that a filter no longer matches', () => {
  expect(nextOrder(KEPT, { lists: 1, key: 'default', ids: ['c', 'b'] }, false)).toBe(KEPT);
});

test('[UX-04] a new row comes last while the list is in use', () => {
  const wanted = { lists: 1, key: 'default', ids: ['n', 'c', 'b', 'a'] };
  expect(nextOrder(KEPT, wanted, false).ids).toEqual(['a', 'b', 'c', 'n']);
});

test('[UX-04] the order is new after another sorting or filter, and when the rows may move', () => {
  const other = { lists: 1, key: 'name', ids: ['c', 'b', 'a'] };
  expect(nextOrder(KEPT, other, false)).toBe(other);
  const wanted = { lists: 1, key: 'default', ids: ['c', 'a'] };
  expect(nextOrder(KEPT, wanted, true)).toBe(wanted);
  expect(nextOrder(wanted, wanted, true)).toBe(wanted);
});
