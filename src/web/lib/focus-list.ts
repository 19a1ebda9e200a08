/** The element around the campaign list: it takes the focus when a link leads there. */
export const LIST_ID = 'campaign-list';

export function focusList(): void {
  document.getElementById(LIST_ID)?.focus();
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
