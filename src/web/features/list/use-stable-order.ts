import { useIdle } from '@mantine/hooks';
import { useState } from 'react';
import { seconds } from '#core/time.ts';
import { LIST_ID } from '../../lib/focus-list.ts';

export interface Order {
  /** Account, filters and sorting: what the user chose. */
  key: string;
  ids: readonly string[];
  /** The loaded lists of ad accounts that the rows are of. */
  lists: number;
}

/** Rows keep their places, and new ones come last, until the user chooses again or the rows may move. */
export function nextOrder(kept: Order, wanted: Order, mayMove: boolean): Order {
  if (kept.key !== wanted.key) return wanted;
  if (mayMove) return kept.ids === wanted.ids ? kept : wanted;
  const known = new Set(kept.ids);
  const added = wanted.ids.filter((id) => !known.has(id));
  return added.length === 0 ? kept : { ...kept, ids: [...kept.ids, ...added] };
}

/** The pointer or the focus is in the list of campaigns. */
function isListInUse(): boolean {
  // What was touched last stays hovered and focused.
  const isTouched = window.matchMedia('(hover: none)').matches;
  const list = document.getElementById(LIST_ID);
  return list?.matches(isTouched ? ':has(:focus-visible)' : ':hover, :has(:focus)') === true;
}

/**
 * Rows move once the user has rested for 10 s, or another ad account's list is loaded, with neither pointer nor focus in
 * the list (UX-04).
 */
export function useStableOrder(wanted: Order): readonly string[] {
  const isIdle = useIdle(seconds(10), { initialState: false });
  const [kept, setKept] = useState(wanted);
  const order = nextOrder(kept, wanted, (isIdle || wanted.lists !== kept.lists) && !isListInUse());
  if (order !== kept) setKept(order);
  return order.ids;
}
