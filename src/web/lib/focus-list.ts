/** The element around the campaign list: it takes the focus when a link leads there. */
export const LIST_ID = 'campaign-list';

/** @param isShown also scrolls to it: of a link that leads there; else the page stays where it is */
export function focusList(isShown = false): void {
  document.getElementById(LIST_ID)?.focus({ preventScroll: !isShown });
}

/** The ref of what can go while it has the focus: its dialog, or else the list of campaigns, takes the focus then. */
export function leaveFocusToList(element: HTMLElement | null): () => void {
  const dialog = element?.closest<HTMLElement>('[role="dialog"]');
  return () => {
    // The list may be rendered only now.
    if (element?.contains(document.activeElement) === true)
      setTimeout(() => (dialog == null ? focusList() : dialog.focus()));
  };
}
