/**
 * The login redirect carries the session token in the URL, and any site can link to such a URL. The page
 * accepts the token only if our server's cookie has the token's fingerprint.
 */
const COOKIE = { secure: '__Host-smartpause_arrival', local: 'smartpause_arrival' };

/**
 * Our server adds this meta element to every document. If it exists, the page requires the cookie; other
 * sites cannot remove the element.
 */
export const OWN_SERVER_META = 'smartpause-server';

/** After this time, the page rejects the token and the user logs in again. */
export const LOGIN_COOKIE_SECONDS = 120;

export function loginCookieName(isSecure: boolean): string {
  return isSecure ? COOKIE.secure : COOKIE.local;
}

/**
 * Identifies the token but cannot replace it: the rest has more than 180 bits. Compared before anything
 * loads.
 */
export function tokenFingerprint(token: string): string {
  return token.slice(0, 12);
}
