import { bannerCode, loginAddress, returnTo, wantedPage } from '../browser/return-to.ts';
import { readToken } from '../api/token.ts';
import { followColorTheme } from './follow-color-theme.ts';
import { easeMenus } from './ease-menus.ts';

/**
 * The landing page came whole, and every link and menu of it works without this: here is what the browser alone cannot
 * know or do. It is plain, since a library that draws would keep a slow phone busy with what is there already.
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
  // Few come with something amiss, so only they fetch what draws it.
  if (code !== null)
    void import('./address-banner.tsx').then(
      ({ showAddressBanner }) => showAddressBanner(root, code),
      () => undefined,
    );
}

/** Where a login from here comes back to. */
function visitorsReturn(): string {
  const { pathname, search } = window.location;
  // A fragment is a section of this page, and of none that the login leads to.
  return returnTo({ pathname, search, hash: '' }, wantedPage());
}

/** The address stays as it is: whoever shares it means the page. */
function skipWithoutAddress(root: HTMLElement): void {
  const skip = root.querySelector<HTMLAnchorElement>('a.skip');
  skip?.addEventListener('click', (event) => {
    event.preventDefault();
    root.querySelector('main')?.focus();
  });
}

/** A login in another tab, or on the way back to this page, ends it. */
function leaveAtLogin(): void {
  const leave = () => {
    if (readToken() !== null) window.location.reload();
  };
  window.addEventListener('storage', leave);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) leave();
  });
}
