import type { Campaign } from '#contract/shapes.ts';
import { byListOrder, byName, hasEnded } from '#core/campaign.ts';
import type { Sort } from '../campaigns/list-address.ts';

type Compare = (a: Campaign, b: Campaign) => number;

const byCampaignName: Compare = (a, b) => byName(a.name, b.name);
const byStatus: Compare = (a, b) => statusRank(a.status) - statusRank(b.status) || byName(a.status, b.status);

const COMPARE: Record<Exclude<Sort, 'account' | '-account'>, Compare> = {
  default: byListOrder,
  name: byCampaignName,
  '-name': (a, b) => byCampaignName(b, a),
  status: byStatus,
  '-status': (a, b) => byStatus(b, a),
  budget: (a, b) => byBudget(a, b, 1),
  '-budget': (a, b) => byBudget(a, b, -1),
};

/** Equal campaigns keep the default order. */
export function sortCampaigns(
  campaigns: readonly Campaign[],
  sort: Sort,
  accountNameOf: (campaign: Campaign) => string = () => '',
): readonly Campaign[] {
  const byAccount: Compare = (a, b) => byName(accountNameOf(a), accountNameOf(b));
  const compare: Record<Sort, Compare> = {
    ...COMPARE,
    account: byAccount,
    '-account': (a, b) => byAccount(b, a),
  };
  return campaigns.toSorted((a, b) => compare[sort](a, b) || byListOrder(a, b));
}

/** Sorts from its own last order: where few campaigns have moved, that takes a fraction of the comparisons. */
export function createSorter(): typeof sortCampaigns {
  let last: readonly Campaign[] = [];
  return (campaigns, ...how) => {
    const byId = new Map(campaigns.map((one) => [one.id, one]));
    const known = last.flatMap(({ id }) => byId.get(id) ?? []);
    for (const { id } of known) byId.delete(id);
    last = sortCampaigns([...known, ...byId.values()], ...how);
    return last;
  };
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

export type SortedColumn = 'name' | 'account' | 'status' | 'budget';

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
