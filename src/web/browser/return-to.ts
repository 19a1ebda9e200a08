import { ofThisTab } from './storage.ts';

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

const KEY = 'wantedPage';

/** Stores the page that required a login in this tab, until the next login. */
export function rememberWanted(place: Place): void {
  if (place.pathname !== '/') ofThisTab.write(KEY, addressOf(place));
}

export function wantedPage(): string | null {
  return ofThisTab.read(KEY);
}

/** The address that starts the login; afterwards it returns to the same page. */
export function loginAddress(returnTo: string): string {
  return `/auth/facebook?returnTo=${encodeURIComponent(returnTo)}`;
}

/** @param wanted the value in storage, which any user of this browser may have written */
export function returnTo(place: Place, wanted: string | null): string {
  return place.pathname === '/' && isPath(wanted) ? wanted : addressOf(place);
}

/** The page to continue at after login; removes the stored target. */
export function takeWanted(address: URL): URL {
  const wanted = wantedPage();
  ofThisTab.drop(KEY);
  return goOnAt(address, wanted);
}

/**
 * The login keeps no fragment, so it is restored when the wanted page is reached. A login on the landing page
 * before its script ran returns to home, and continues at the wanted page.
 */
export function goOnAt(address: URL, wanted: string | null): URL {
  if (address.pathname === '/' && isPath(wanted)) return new URL(wanted, address.origin);
  const goOn = new URL(address);
  goOn.hash ||= fragmentFor(address.pathname, wanted);
  return goOn;
}

function fragmentFor(pathname: string, wanted: string | null): string {
  if (!isPath(wanted)) return '';
  const page = new URL(wanted, ANYWHERE);
  return page.pathname === pathname ? page.hash : '';
}

const ANYWHERE = 'https://smartpause.invalid';

/** Accepts only a path of this site. The server checks that as well. */
function isPath(address: string | null): address is string {
  if (!address?.startsWith('/') || /[\\\p{Cc}]/u.test(address) || !URL.canParse(address, ANYWHERE)) {
    return false;
  }
  const url = new URL(address, ANYWHERE);
  return url.origin === ANYWHERE && !url.pathname.startsWith('//');
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
  const params = new URLSearchParams(search);
  const given = bannerCode(params);
  const code = given ?? reason;
  if (code === null) return '/';
  const home = new URLSearchParams({ error: code });
  const missing = params.get('missing');
  if (given !== null && missing !== null) home.set('missing', missing);
  return `/?${home.toString()}`;
}

/** The banner code describes this visit, so the return address does not carry it. */
function withoutError(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete('error');
  rest.delete('missing');
  return rest;
}

/** The same address without its banner. */
export function addressOf({ pathname, search, hash }: Place): string {
  const rest = withoutError(new URLSearchParams(search)).toString();
  return pathname + (rest === '' ? '' : `?${rest}`) + hash;
}
