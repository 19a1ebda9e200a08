import { expect, test } from 'vitest';
import type { Sort } from '../list-address.ts';
import type { SortedColumn } from './sorting.ts';
import { directionOf, nextSort } from './sorting.ts';

test.each<[SortedColumn, Sort[]]>([
  ['name', ['default', 'name', '-name', 'default']],
  ['status', ['default', 'status', '-status', 'default']],
  ['budget', ['default', '-budget', 'budget', 'default']],
])('[UX-07] presses on %s sort both ways, then by default', (column, sorts) => {
  for (const [at, sort] of sorts.slice(0, -1).entries()) expect(nextSort(sort, column)).toBe(sorts[at + 1]);
});

test('[UX-07] another column starts with its first direction, and only the sorted one has a direction', () => {
  expect(nextSort('-name', 'budget')).toBe('-budget');
  expect(directionOf('-budget', 'budget')).toBe('descending');
  expect(directionOf('name', 'name')).toBe('ascending');
  expect(directionOf('name', 'status')).toBe('none');
});
