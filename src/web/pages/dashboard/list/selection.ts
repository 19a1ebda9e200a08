/** The ids that are selected, and where a range would begin. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

export interface Ticked {
  id: string;
  isTicked: boolean;
  /** From the last one ticked to this one, as with the shift key. */
  isRange: boolean;
}

/** @param shown the ids in the order in which they are seen */
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

/** All that are shown, drawn or not; what else is selected stays so. */
export function afterTickAll({ ids }: Selection, isTicked: boolean, shown: readonly string[]): Selection {
  const next = new Set(ids);
  for (const id of shown) {
    if (isTicked) next.add(id);
    else next.delete(id);
  }
  return { ids: next, anchor: null };
}
