import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { RowsProps } from './campaign-row.tsx';
import { CampaignRow } from './campaign-row.tsx';
import { NARROW } from './narrow.ts';
import { withNeighbours } from './with-neighbours.ts';

const estimateSize = () => (window.matchMedia(NARROW).matches ? 100 : 52);

/** Renders the rows near the window and the focused one. The page itself scrolls. */
export function VirtualRows({ campaigns, propsOf }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const top = useTopOf(list);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const indexOf = useMemo(() => new Map(campaigns.map(({ id }, index) => [id, index])), [campaigns]);
  const focused = focusedId === null ? undefined : indexOf.get(focusedId);
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: campaigns.length,
    estimateSize,
    overscan: 5,
    useFlushSync: false,
    scrollMargin: top,
    getItemKey: (index) => campaigns[index]?.id ?? index,
    rangeExtractor: (range) => withNeighbours(defaultRangeExtractor(range), focused, range.count),
  });
  return (
    <div
      ref={list}
      role="rowgroup"
      style={{ height: virtualizer.getTotalSize(), position: 'relative' }}
      onFocus={({ target }) =>
        setFocusedId(target.closest<HTMLElement>('[data-campaign]')?.dataset['campaign'] ?? null)
      }
      onBlur={({ currentTarget, relatedTarget }) => {
        // Within the list the focus is moving, and its row must not unmount before the focus has arrived.
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
            top={start - top}
          />
        );
      })}
    </div>
  );
}

/** The list's offset on the page, which banners above it change. */
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
