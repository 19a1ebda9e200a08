/** The element around the campaign list: it takes the focus when a link leads there. */
export const LIST_ID = 'campaign-list';

export function focusList(): void {
  document.getElementById(LIST_ID)?.focus();
}
