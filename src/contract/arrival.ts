/**
 * The login returns with the session's token in the address, and any site can send somebody to such an address. So the server
 * also leaves a cookie, which no other site can set: the page takes the token only where both are of the same login.
 */
const ARRIVAL_COOKIE = { secure: '__Host-smartpause_arrival', local: 'smartpause_arrival' };

/**
 * Only our own server leaves that cookie, and it announces itself with this meta element in every document. The page demands
 * the cookie where the element is: a link or another site cannot take the element away.
 */
export const OWN_SERVER_META = 'smartpause-server';

/** A page that has not begun by then is not waited for: its person logs in again. */
export const ARRIVAL_SECONDS = 120;

export function arrivalCookie(isSecure: boolean): string {
  return isSecure ? ARRIVAL_COOKIE.secure : ARRIVAL_COOKIE.local;
}

/** Names the token and opens nothing: what is left of it has more than 180 bits. It is compared before anything is loaded. */
export function arrivalMark(token: string): string {
  return token.slice(0, 12);
}
