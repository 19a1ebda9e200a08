import type { RefObject } from 'react';
import { useLayoutEffect } from 'react';

/** For the styles of elements that the bar could cover. */
const HEIGHT = '--bar-height';

/** Scrolls a focused element clear of the bar, also when the bar grows. */
export function useRoomFor(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = bar;
    if (current === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(HEIGHT, `${current.offsetHeight}px`);
      const focused = document.activeElement;
      if (focused === null || current.contains(focused) || current.parentElement?.contains(focused) !== true)
        return;
      const { top, bottom } = focused.getBoundingClientRect();
      // Not if the user has scrolled away from it.
      if (bottom > current.getBoundingClientRect().top && top < window.innerHeight)
        focused.scrollIntoView({ block: 'nearest' });
    });
    observer.observe(current, { box: 'border-box' });
    return () => {
      observer.disconnect();
      style.removeProperty(HEIGHT);
    };
  }, [bar]);
}
