import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';
import { seconds } from '#core/time.ts';
import { LIST_ID } from '../../../lib/focus-list.ts';

const IDLE_MS = seconds(10);

export interface Order {
  /** Account, filters and sorting: what the user chose. */
  key: string;
  ids: readonly string[];
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
export function isListInUse(): boolean {
  // What was touched last stays hovered and focused.
  const isTouched = window.matchMedia('(hover: none)').matches;
  const list = document.getElementById(LIST_ID);
  return list?.matches(isTouched ? ':has(:focus-visible)' : ':hover, :has(:focus)') === true;
}

/** Rows move once neither pointer nor focus has been in the list for 10 s (UX-04). */
export function useStableOrder(wanted: Order) {
  const [isIdle, setIsIdle] = useState(false);
  const { start, clear } = useTimeout(onRest, IDLE_MS, { autoInvoke: true });
  function onRest(): void {
    if (isListInUse()) start();
    else setIsIdle(true);
  }
  const onUse = () => {
    setIsIdle(false);
    clear();
    start();
  };
  const [kept, setKept] = useState(wanted);
  const order = nextOrder(kept, wanted, isIdle);
  if (order !== kept) setKept(order);
  const listProps = {
    onPointerEnter: onUse,
    onPointerLeave: onUse,
    onFocus: onUse,
    onBlur: onUse,
  };
  return { ids: order.ids, listProps };
}
