import { useEffect } from 'react';

/**
 * Brings the section into view that the address names, and the keyboard to its start. The router looks for it before
 * the page is drawn.
 * @param fragment '#billing'; empty: none
 */
export function useScrollToFragment(fragment: string, isDrawn = true): void {
  useEffect(() => {
    const section = isDrawn && fragment !== '' ? document.getElementById(fragment.slice(1)) : null;
    if (section === null) return;
    section.scrollIntoView();
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
  }, [fragment, isDrawn]);
}
