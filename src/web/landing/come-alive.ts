import { bannerCode, loginAddress, returnTo, wantedPage } from '../browser/return-to.ts';
import { readToken } from '../api/session.ts';
import { COLOR_SCHEME_KEY } from '../browser/storage-keys.ts';
import { lasting } from '../browser/storage.ts';
import { chosenColorScheme, drawnColorScheme } from '../start/color-scheme.ts';

/**
 * Adds what only the browser knows or does; links and menus of the landing page work without this.
 * No React here: rendering the same content again would block a slow phone.
 */
export function comeAlive(root: HTMLElement): void {
  const login = loginAddress(visitorsReturn());
  for (const link of root.querySelectorAll<HTMLAnchorElement>(`a[href="${loginAddress('/')}"]`))
    link.setAttribute('href', login);
  skipWithoutAddress(root);
  easeMenus(root);
  followColorTheme(root);
  leaveAtLogin();
  root.dataset['alive'] = '';
  const code = bannerCode(new URLSearchParams(window.location.search));
  // Few visits have a banner, so only those load the code for it.
  if (code !== null)
    void import('./address-banner.tsx').then(
      ({ showAddressBanner }) => showAddressBanner(root, code),
      () => undefined,
    );
}

/** The address that login returns to. */
function visitorsReturn(): string {
  const { pathname, search } = window.location;
  // A fragment is a section of this page, and does not exist where login leads.
  return returnTo({ pathname, search, hash: '' }, wantedPage());
}

/** The address keeps no fragment: a shared address means the page. */
function skipWithoutAddress(root: HTMLElement): void {
  const skip = root.querySelector<HTMLAnchorElement>('a.skip');
  skip?.addEventListener('click', (event) => {
    event.preventDefault();
    root.querySelector('main')?.focus();
  });
}

/** Leaves the landing page after a login in another tab, or when 'back' shows it again. */
function leaveAtLogin(): void {
  const leave = () => {
    if (readToken() !== null) window.location.reload();
  };
  window.addEventListener('storage', leave);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) leave();
  });
}

/** Closes the native menus on Escape, lost focus or a click on a link; they open without this. */
function easeMenus(root: HTMLElement): void {
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

/** Light, dark or system, in the same storage as the app; follows other tabs. */
function followColorTheme(root: HTMLElement): void {
  const choice = root.querySelector<HTMLFieldSetElement>('footer fieldset');
  if (choice === null) return;
  const show = () => {
    const chosen = chosenColorScheme(lasting.read(COLOR_SCHEME_KEY));
    for (const radio of choice.querySelectorAll('input')) radio.checked = radio.value === chosen;
    document.documentElement.dataset['mantineColorScheme'] = drawnColorScheme(chosen);
  };
  choice.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) lasting.write(COLOR_SCHEME_KEY, target.value);
    show();
  });
  window.addEventListener('storage', show);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  show();
  delete choice.dataset['waiting'];
}
