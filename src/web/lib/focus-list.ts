/** The element around the campaign list: it takes the focus when a link leads there. */
export const LIST_ID = 'campaign-list';

/** The banner of 'Pause all now'. */
export const PAUSED_ALL_ID = 'paused-all';

/** It may be rendered only now. */
export function focusPausedAll(): void {
  setTimeout(() => document.getElementById(PAUSED_ALL_ID)?.focus());
}

/** @param isShown also scrolls to it: of a link that leads there; else the page stays where it is */
export function focusList(isShown = false): void {
  document.getElementById(LIST_ID)?.focus({ preventScroll: !isShown });
}

/** The ref of what can go while it has the focus: its dialog, the first button left in its row, or the list takes the focus then. */
export function leaveFocusToList(element: HTMLElement | null): () => void {
  const dialog = element?.closest<HTMLElement>('[role="dialog"]');
  const row = element?.closest<HTMLElement>('[data-campaign]');
  const focusNext = () => {
    const button = row?.isConnected === true ? row.querySelector<HTMLElement>('button') : null;
    if (dialog != null) dialog.focus();
    else if (button === null) focusList();
    else button.focus({ preventScroll: true });
  };
  return () => {
    // The list may be rendered only now.
    if (element?.contains(document.activeElement) === true) setTimeout(focusNext);
  };
}
