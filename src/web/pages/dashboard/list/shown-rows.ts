import type { Campaign } from '#contract/shapes.ts';
import type { Filters } from '../list-address.ts';
import { isFiltered } from '../list-address.ts';
import { findCampaigns } from './find-campaigns.ts';
import type { ListOrder } from './list-order.ts';

/** The ids of the shown rows in display order, and the filters and order that they were computed for. */
export interface ShownRows {
  key: string;
  from: ListOrder['from'];
  ids: ReadonlySet<string>;
}

/**
 * The rows that pass the filters. Until the filters or the order change, no row leaves, and new matches come last.
 * @returns the same object while nothing changes
 */
export function rowsNow(
  ordered: readonly Campaign[],
  filters: Filters,
  { from }: Pick<ListOrder, 'from'>,
  before: ShownRows | null,
): ShownRows {
  const { q, status, smartpause } = filters;
  const key = `${status} ${smartpause} ${q}`;
  const found = findCampaigns(ordered, filters).map(({ id }) => id);
  if (before?.key !== key || before.from !== from) return { key, from, ids: new Set(found) };
  const added = found.filter((id) => !before.ids.has(id));
  return added.length === 0 ? before : { ...before, ids: new Set([...before.ids, ...added]) };
}

export function inRows(
  ordered: readonly Campaign[],
  filters: Filters,
  { ids }: ShownRows,
): readonly Campaign[] {
  if (!isFiltered(filters)) return ordered;
  const byId = new Map(ordered.map((one) => [one.id, one]));
  return [...ids].flatMap((id) => byId.get(id) ?? []);
}
