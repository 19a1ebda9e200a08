import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { CampaignRow } from './campaign-row.tsx';
import classes from '../dashboard.module.css';
import type { RowsProps } from './row-props.ts';
import { withNeighbours } from './with-neighbours.ts';

const ESTIMATED_PX = 78;

/** Of many rows those that are near the window, and the one with the focus wherever it is. The page itself scrolls. */
export function VirtualRows({ campaigns, propsOf }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const top = useTopOf(list);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const indexOf = useMemo(() => new Map(campaigns.map(({ id }, index) => [id, index])), [campaigns]);
  const focused = focusedId === null ? undefined : indexOf.get(focusedId);
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: campaigns.length,
    estimateSize: () => ESTIMATED_PX,
    overscan: 5,
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: (index) => campaigns[index]?.id ?? index,
    rangeExtractor: (range) => withNeighbours(defaultRangeExtractor(range), focused, range.count),
  });
  return (
    <ul
      ref={list}
      className={classes.list}
      role="list"
      style={{ height: virtualizer.getTotalSize(), position: 'relative' }}
      onFocus={({ target }) => setFocusedId(target.closest('li')?.dataset['campaign'] ?? null)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Inside of the list the focus is only on its way, and its row must not go before it has arrived.
        if (!currentTarget.contains(relatedTarget)) setFocusedId(null);
      }}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const campaign = campaigns[index];
        if (campaign === undefined) return null;
        return (
          <CampaignRow
            key={key}
            {...propsOf(campaign)}
            measure={virtualizer.measureElement}
            index={index}
            total={campaigns.length}
            top={start - top}
          />
        );
      })}
    </ul>
  );
}

/** How far down the page it begins: banners above it come and go. */
function useTopOf(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current !== null) setTop(element.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
