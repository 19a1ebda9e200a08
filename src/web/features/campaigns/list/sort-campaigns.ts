import type { Campaign } from '#contract/shapes.ts';
import { byListOrder, byName, hasEnded } from '#core/campaign.ts';
import type { Sort } from '../list-address.ts';

const COMPARE: Record<Sort, (a: Campaign, b: Campaign) => number> = {
  default: byListOrder,
  name: (a, b) => byName(a.name, b.name),
  '-name': (a, b) => byName(b.name, a.name),
  status: (a, b) => byStatus(a.status, b.status),
  '-status': (a, b) => byStatus(b.status, a.status),
  budget: (a, b) => byBudget(a, b, 1),
  '-budget': (a, b) => byBudget(a, b, -1),
};

/** Equal campaigns keep the default order. */
export function sortCampaigns(campaigns: readonly Campaign[], sort: Sort): readonly Campaign[] {
  const usual = campaigns.toSorted(byListOrder);
  return sort === 'default' ? usual : usual.toSorted(COMPARE[sort]);
}

function byStatus(a: string, b: string): number {
  return statusRank(a) - statusRank(b) || byName(a, b);
}

function statusRank(status: string): number {
  if (status === 'ACTIVE') return 0;
  if (status === 'PAUSED') return 1;
  return hasEnded(status) ? 3 : 2;
}

/** Campaigns without a budget of their own come last in both directions. */
function byBudget({ dailyBudget: a }: Campaign, { dailyBudget: b }: Campaign, direction: 1 | -1): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  return direction * (a - b);
}

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
