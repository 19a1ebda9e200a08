import { useEffect } from 'react';

/**
 * Brings the section into view that the address names: the router looks for it before the page is drawn.
 * @param fragment '#billing'; empty: none
 */
export function useScrollToFragment(fragment: string, isDrawn = true): void {
  useEffect(() => {
    if (isDrawn && fragment !== '') document.getElementById(fragment.slice(1))?.scrollIntoView();
  }, [fragment, isDrawn]);
}
