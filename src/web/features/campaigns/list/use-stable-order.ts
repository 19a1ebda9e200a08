import { useTimeout } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { seconds } from '#core/time.ts';

export const IDLE_MS = seconds(10);

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

function isInUse(list: Element): boolean {
  // What was touched last stays hovered and focused.
  const isTouched = window.matchMedia('(hover: none)').matches;
  return list.matches(isTouched ? ':has(:focus-visible)' : ':hover, :focus-within');
}

/** Rows move once neither pointer nor focus has been in the list for 10 s (UX-04). */
export function useStableOrder(wanted: Order) {
  const list = useRef<HTMLDivElement>(null);
  const [isIdle, setIsIdle] = useState(false);
  const { start, clear } = useTimeout(onRest, IDLE_MS, { autoInvoke: true });
  function onRest(): void {
    if (list.current !== null && isInUse(list.current)) start();
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
    ref: list,
    onPointerEnter: onUse,
    onPointerLeave: onUse,
    onFocus: onUse,
    onBlur: onUse,
  };
  return { ids: order.ids, listProps };
}
