import { useLocation } from 'react-router';

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

const KEY = 'wantedPage';

/** The page that somebody was sent home from for want of a login; this tab knows it until somebody logs in. */
export function rememberWanted(place: Place): void {
  if (place.pathname !== '/') sessionStorage.setItem(KEY, addressOf(place));
}

/** Where the login is to come back to: where the person is, or at home the page that they wanted. */
export function useReturnTo(): string {
  const place = useLocation();
  return returnTo(place, sessionStorage.getItem(KEY));
}

/** @param wanted what the storage says, which anybody at this browser may have written */
export function returnTo(place: Place, wanted: string | null): string {
  return place.pathname === '/' && isPath(wanted) ? wanted : addressOf(place);
}

/** The login carries no fragment, so it is put back where the wanted page is reached; then that is over. */
export function takeWantedFragment({ pathname }: Pick<Place, 'pathname'>): string {
  const wanted = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return fragmentFor(pathname, wanted);
}

export function fragmentFor(pathname: string, wanted: string | null): string {
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

/** A banner's code is about what has happened here, and has no business where the person comes back to. */
export function withoutError(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete('error');
  rest.delete('missing');
  return rest;
}

function addressOf({ pathname, search, hash }: Place): string {
  const rest = withoutError(new URLSearchParams(search)).toString();
  return pathname + (rest === '' ? '' : `?${rest}`) + hash;
}
