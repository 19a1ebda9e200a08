import type { Sort } from '../list-address.ts';

export type SortedColumn = 'name' | 'status' | 'budget';

/** The sorts that presses on a column header go through, before the default order comes again. */
const STEPS: Record<SortedColumn, readonly [Sort, Sort]> = {
  name: ['name', '-name'],
  status: ['status', '-status'],
  // Highest budget first.
  budget: ['-budget', 'budget'],
};

export function nextSort(sort: Sort, column: SortedColumn): Sort {
  const [first, second] = STEPS[column];
  if (sort === first) return second;
  return sort === second ? 'default' : first;
}

export function directionOf(sort: Sort, column: SortedColumn): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}
