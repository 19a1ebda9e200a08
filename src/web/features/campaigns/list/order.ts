import type { Campaign } from '#contract/shapes.ts';
import { byListOrder, byName, hasEnded } from '#core/campaign.ts';
import { findByWords } from '../../../lib/search-words.ts';
import type { Filters, Sort, StatusFilter } from '../list-address.ts';

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
  return campaigns.toSorted((a, b) => COMPARE[sort](a, b) || byListOrder(a, b));
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

/** Presses on a column header sort both ways, the highest budget first, and then by default. */
export function nextSort(sort: Sort, column: SortedColumn): Sort {
  const [first, second] =
    column === 'budget' ? (['-budget', 'budget'] as const) : ([column, `-${column}`] as const);
  if (sort === first) return second;
  return sort === second ? 'default' : first;
}

export function directionOf(sort: Sort, column: SortedColumn): 'ascending' | 'descending' | 'none' {
  if (sort === column) return 'ascending';
  return sort === `-${column}` ? 'descending' : 'none';
}

const HAS_STATUS: Record<StatusFilter, (status: string) => boolean> = {
  all: () => true,
  active: (status) => status === 'ACTIVE',
  paused: (status) => status === 'PAUSED',
  other: (status) => status !== 'ACTIVE' && status !== 'PAUSED',
};

const SETTINGS = { on: 'ON', off: 'OFF', disabled: 'DEACTIVATED' } as const;

/** Keeps the given order. Every search word must be in the name, or in the id if it is long enough. */
export function findCampaigns(campaigns: readonly Campaign[], filters: Filters): readonly Campaign[] {
  const { q, status, smartpause } = filters;
  return findByWords(campaigns, q).filter(
    ({ status: own, smartPauseSetting, held }) =>
      HAS_STATUS[status](own) &&
      (smartpause === 'all' ||
        (smartpause === 'paused' ? held === true : smartPauseSetting === SETTINGS[smartpause])),
  );
}
