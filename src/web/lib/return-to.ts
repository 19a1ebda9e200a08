import { tabStorage } from './storage.ts';

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

const KEY = 'wantedPage';

/** Stores the page that a login in this tab leads to; the landing page itself wants none. */
export function rememberWantedAddress(place: Place): void {
  if (!isHome(place)) tabStorage.write(KEY, addressOf(place));
}

export function forgetWantedAddress(): void {
  tabStorage.drop(KEY);
}

/** Whether a login at home leads to another page; one with a query alone may be any visitor's. */
export function wantsOtherPage(): boolean {
  return tabStorage.read(KEY)?.startsWith('/?') === false;
}

/** The address that starts the login; afterwards it returns to this path. */
export function loginAddress(returnTo: string): string {
  return `/auth/facebook?returnTo=${encodeURIComponent(returnTo)}`;
}

/** A login at home continues at the stored page, which any user of this browser may have written; removes it. */
export function takeWantedAddress(address: URL): URL {
  const wanted = tabStorage.read(KEY);
  forgetWantedAddress();
  if (wanted === null || !isHome(address) || !URL.canParse(wanted, address.origin)) return address;
  const page = new URL(wanted, address.origin);
  return page.origin === address.origin ? page : address;
}

function isHome({ pathname, search }: Place): boolean {
  return addressOf({ pathname, search, hash: '' }) === '/';
}

/** The code of the banner that an address requests; null: none. */
export function bannerCode(params: URLSearchParams): string | null {
  const code = params.get('error');
  return code === '' ? null : code;
}

/**
 * The home page for a user who may not see this page; the banner code stays in the address.
 * @param reason the code of the banner where the address has none
 */
export function homeAddress(search: string, reason: string | null = null): string {
  const error = bannerCode(new URLSearchParams(search)) ?? reason;
  return error === null ? '/' : `/?${new URLSearchParams({ error }).toString()}`;
}

/** The same address without its banner, which describes this visit. */
export function addressOf({ pathname, search, hash }: Place): string {
  const params = new URLSearchParams(search);
  params.delete('error');
  params.delete('missing');
  return pathname + (params.size === 0 ? '' : `?${params.toString()}`) + hash;
}
