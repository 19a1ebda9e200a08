import { expect, test } from 'vitest';
import type { Campaign } from '#contract/shapes.ts';
import type { Filter } from '../campaigns/filters.ts';
import { findCampaigns } from '../campaigns/filters.ts';
import type { Sort } from '../campaigns/list-address.ts';
import type { SortedColumn } from './order.ts';
import { directionOf, nextSort, sortCampaigns } from './order.ts';

function campaign(
  name: string,
  status: string,
  smartPauseSetting: Campaign['smartPauseSetting'],
  dailyBudget?: number | null,
): Campaign {
  const budget = dailyBudget === undefined ? {} : { dailyBudget };
  return { id: name, name, status, objective: '', smartPauseSetting, ...budget };
}

test.each<[Sort, string]>([
  ['default', 'Hats, Shoes, Coats, Boots, Axes'],
  ['name', 'Axes, Boots, Coats, Hats, Shoes'],
  ['-name', 'Shoes, Hats, Coats, Boots, Axes'],
  ['status', 'Hats, Shoes, Coats, Boots, Axes'],
  ['-status', 'Axes, Boots, Hats, Shoes, Coats'],
  ['budget', 'Shoes, Hats, Boots, Coats, Axes'],
  ['-budget', 'Boots, Hats, Shoes, Coats, Axes'],
])('[DASH-07, UX-07] sorted by %s, with equal rows in the default order', (sort, sorted) => {
  const all = [
    campaign('Axes', 'ARCHIVED', 'OFF', null),
    campaign('Boots', 'PAUSED', 'OFF', 9000),
    campaign('Coats', 'ACTIVE', 'ON'),
    campaign('Hats', 'ACTIVE', 'OFF', 5000),
    campaign('Shoes', 'ACTIVE', 'DEACTIVATED', 100),
  ];
  expect(
    sortCampaigns(all, sort)
      .map(({ name }) => name)
      .join(', '),
  ).toBe(sorted);
});

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

const ALL: Campaign[] = [
  { ...campaign('Été | Broad', 'ACTIVE', 'OFF'), id: '70000101' },
  { ...campaign('Spring Sale | Retargeting', 'PAUSED', 'ON'), id: '70000102', held: true },
  { ...campaign('Spring Sale | Broad', 'ACTIVE', 'DEACTIVATED'), id: '70000203' },
  { ...campaign('Winter', 'PAUSED', 'ON'), id: '70000204', held: false },
  // Its name is shared, so it is shown with its id.
  { ...campaign('Summer (70000205)', 'ACTIVE', 'ON'), id: '70000205' },
];

test.each<[string, Filter, string[]]>([
  ['  BROAD  spr ', 'all', ['70000203']],
  ['ete', 'all', ['70000101']],
  ['10', 'all', []],
  ['205', 'all', []],
  ['Summer (70000205)', 'all', ['70000205']],
  ['700001', 'all', ['70000101', '70000102']],
  ['', 'active', ['70000101', '70000203', '70000205']],
  ['', 'unprotected', ['70000101', '70000203']],
  ['', 'paused', ['70000102', '70000204']],
  ['', 'held', ['70000102']],
  ['', 'on', ['70000102', '70000204', '70000205']],
  ['', 'disabled', ['70000203']],
  ['spring', 'active', ['70000203']],
])('[UX-01, UX-07] the search %j in %s', (text, filter, ids) => {
  expect(findCampaigns(ALL, filter, text).map(({ id }) => id)).toEqual(ids);
});
