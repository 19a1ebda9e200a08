/** The selected ids, and the start of a range. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

export interface Ticked {
  id: string;
  isTicked: boolean;
  /** From the last ticked row to this one (shift key). */
  isRange: boolean;
}

/** @param shown the ids in display order */
export function afterTick(selection: Selection, ticked: Ticked, shown: readonly string[]): Selection {
  const ids = new Set(selection.ids);
  for (const id of reach(selection, ticked, shown)) {
    if (ticked.isTicked) ids.add(id);
    else ids.delete(id);
  }
  return { ids, anchor: ticked.id };
}

function reach({ anchor }: Selection, { id, isRange }: Ticked, shown: readonly string[]): readonly string[] {
  const from = isRange && anchor !== null ? shown.indexOf(anchor) : -1;
  const to = shown.indexOf(id);
  if (from === -1 || to === -1) return [id];
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** All shown rows, rendered or not; other selected rows stay selected. */
export function afterTickAll({ ids }: Selection, isTicked: boolean, shown: readonly string[]): Selection {
  const next = new Set(ids);
  for (const id of shown) {
    if (isTicked) next.add(id);
    else next.delete(id);
  }
  return { ids: next, anchor: null };
}
