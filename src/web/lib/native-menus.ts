/** The element around the content of a page. */
export const CONTENT_ID = 'content';

export function focusContent(): void {
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });
}

/** For every page, the landing page without React included: what the browser's own popovers and links lack. */
export function handleMenus(): void {
  document.addEventListener('click', onClick, { capture: true });
  document.addEventListener('focusout', onFocusOut);
}

function onClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  // A link or a button with an action leaves the page or its place.
  if (event.target.closest('[popover] :is(a, button:not([popovertarget]))') !== null)
    openMenu()?.hidePopover();
  if (event.target.closest('.skip') === null) return;
  // The address keeps no fragment: a shared address means the page.
  event.preventDefault();
  document.getElementById(CONTENT_ID)?.focus();
}

/** The focus must not go behind an open menu. The button of the menu is beside it. */
function onFocusOut({ relatedTarget }: FocusEvent): void {
  const menu = openMenu();
  if (relatedTarget instanceof Element && menu?.parentElement?.contains(relatedTarget) === false)
    menu.hidePopover();
}

function openMenu(): HTMLElement | null {
  return document.querySelector<HTMLElement>(':popover-open');
}
