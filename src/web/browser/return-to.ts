import { ofThisTab } from './storage.ts';

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

const KEY = 'wantedPage';

/** The page that somebody was sent home from for want of a login; this tab knows it until somebody logs in. */
export function rememberWanted(place: Place): void {
  if (place.pathname !== '/') ofThisTab.write(KEY, addressOf(place));
}

export function wantedPage(): string | null {
  return ofThisTab.read(KEY);
}

/** The login's address; afterwards the person is back where they were. */
export function loginAddress(returnTo: string): string {
  return `/auth/facebook?returnTo=${encodeURIComponent(returnTo)}`;
}

/** @param wanted what the storage says, which anybody at this browser may have written */
export function returnTo(place: Place, wanted: string | null): string {
  return place.pathname === '/' && isPath(wanted) ? wanted : addressOf(place);
}

/** Where somebody who has just logged in goes on; what they wanted is over with that. */
export function takeWanted(address: URL): URL {
  const wanted = wantedPage();
  ofThisTab.drop(KEY);
  return goOnAt(address, wanted);
}

/**
 * The login carries no fragment, so it is put back where the wanted page is reached. Who logged in on the landing page
 * before its script had come was sent home, and goes on to the page that they wanted.
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

/** Only ever a path of this site: the server sees to that as well. */
function isPath(address: string | null): address is string {
  if (!address?.startsWith('/') || /[\\\p{Cc}]/u.test(address) || !URL.canParse(address, ANYWHERE)) {
    return false;
  }
  const url = new URL(address, ANYWHERE);
  return url.origin === ANYWHERE && !url.pathname.startsWith('//');
}

/** The code of the banner that an address asks for; null when it asks for none. */
export function bannerCode(params: URLSearchParams): string | null {
  const code = params.get('error');
  return code === '' ? null : code;
}

/**
 * The home page for a user who may not see the page at this address; its banner's code goes along.
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

/** A banner's code is about what has happened here, and has no business where the person comes back to. */
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
