import type { Campaign } from '#contract/shapes.ts';
import { byListOrder, byName, hasEnded } from '#core/campaign.ts';
import type { Sort } from '../list-address.ts';

/** The order of an account's rows, and the list that it was computed from. */
export interface ListOrder {
  accountId: string;
  sort: Sort;
  from: readonly Campaign[];
  ranks: ReadonlyMap<string, number>;
}

/**
 * The same object while no row may move. A new campaign then comes last.
 * @param mayMove neither pointer nor focus has been in the list for a while
 */
export function orderNow(
  { accountId, sort }: Pick<ListOrder, 'accountId' | 'sort'>,
  campaigns: readonly Campaign[],
  before: ListOrder | null,
  mayMove: boolean,
): ListOrder {
  const isOther = before?.accountId !== accountId || before.sort !== sort;
  if (isOther || (mayMove && before.from !== campaigns)) {
    return { accountId, sort, from: campaigns, ranks: ranked(sorted(campaigns, sort)) };
  }
  const added = campaigns.filter(({ id }) => !before.ranks.has(id));
  if (added.length === 0) return before;
  const ranks = new Map([...before.ranks, ...ranked(sorted(added, sort), before.ranks.size)]);
  return { ...before, ranks };
}

type Compare = (a: Campaign, b: Campaign) => number;

const COMPARE: Record<Sort, Compare> = {
  default: byListOrder,
  name: (a, b) => byName(a.name, b.name),
  '-name': (a, b) => byName(b.name, a.name),
  status: (a, b) => byStatus(a.status, b.status),
  '-status': (a, b) => byStatus(b.status, a.status),
  budget: (a, b) => byBudget(a, b, 1),
  '-budget': (a, b) => byBudget(a, b, -1),
};

/** Equal campaigns keep the default order. */
function sorted(campaigns: readonly Campaign[], sort: Sort): readonly Campaign[] {
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

function ranked(campaigns: readonly Campaign[], first = 0): Map<string, number> {
  return new Map(campaigns.map(({ id }, index) => [id, first + index]));
}

export function inOrder(campaigns: readonly Campaign[], { ranks }: ListOrder): readonly Campaign[] {
  const rankOf = ({ id }: Campaign) => ranks.get(id) ?? ranks.size;
  return campaigns.toSorted((a, b) => rankOf(a) - rankOf(b));
}
