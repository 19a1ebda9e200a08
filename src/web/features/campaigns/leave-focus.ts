import { focusList } from '../../lib/focus-list.ts';

/** The ref of what can go while it has the focus: the list of campaigns takes the focus then. */
export function leaveFocusToList(element: HTMLElement | null): () => void {
  return () => {
    // The list may be rendered only now.
    if (element?.contains(document.activeElement) === true) setTimeout(focusList);
  };
}
