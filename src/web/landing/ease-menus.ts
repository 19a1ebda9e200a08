/** They are the browser's own, and open without this; it closes them where somebody used to menus expects it. */
export function easeMenus(root: HTMLElement): void {
  const about = root.querySelector<HTMLDetailsElement>('header details');
  if (about !== null) closeWhenLeft(about);
  const menu = root.querySelector<HTMLDialogElement>('dialog[popover]');
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a') !== null) menu.hidePopover();
  });
}

function closeWhenLeft(details: HTMLDetailsElement): void {
  details.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && details.contains(relatedTarget))) details.open = false;
  });
  details.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !details.open) return;
    details.open = false;
    details.querySelector('summary')?.focus();
  });
}
