import { OWN_SERVER_META, loginCookieName, tokenFingerprint } from '#contract/login-handoff.ts';
import { forgetWantedAddress, homeAddress, rememberWantedAddress, takeWantedAddress } from './return-to.ts';
import { TOKEN_KEY, account, browserStorage } from './storage.ts';

/** The token that this page shows and sends. In memory, so that a login works where the browser stores nothing. */
let shown = browserStorage.read(TOKEN_KEY);
/** What the browser's storage had then: null where it stores nothing. */
let stored = shown;
/**
 * `ending`: a call that ends it is under way or has succeeded, and its page says so before it leaves.
 * `left`: another document is about to replace this one, so the page does not change, and sends the token no more.
 */
let phase: 'active' | 'ending' | 'left' = 'active';
const listeners = new Set<() => void>();

export const shownToken = (): string | null => shown;
export const readToken = (): string | null => (phase === 'left' ? null : shown);

export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function saveToken(token: string): void {
  browserStorage.write(TOKEN_KEY, token);
  show(token);
}

export function dropToken(): void {
  forgetWantedAddress();
  browserStorage.drop(TOKEN_KEY);
  show(null);
}

function show(token: string | null): void {
  if (token === null) account.forget();
  shown = token;
  stored = browserStorage.read(TOKEN_KEY);
  for (const listener of listeners) listener();
}

/** Begins with the token of a login in the address, and follows the logins and logouts of other tabs. */
export function startSession(): void {
  takeTokenFromAddress();
  window.addEventListener('storage', ({ key }) => {
    if (key === TOKEN_KEY || key === null) followOtherTabs();
  });
  // The browser's back button restores a page as it was: it has missed the events.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && browserStorage.read(TOKEN_KEY) !== stored) followOtherTabs();
  });
}

function followOtherTabs(): void {
  const token = browserStorage.read(TOKEN_KEY);
  // A reload ensures that no data of one user stays on the page of another.
  if (shown !== null && token !== null && token !== shown) {
    phase = 'left';
    window.location.reload();
    return;
  }
  if (phase === 'left') phase = 'active';
  show(token);
}

/** @param asking the call that ends it; after a failure it goes on */
export async function endSession<Answer>(asking: Promise<Answer>): Promise<Answer> {
  phase = 'ending';
  return asking.catch((error: unknown) => {
    // Another tab may have left the page since then.
    if (phase === 'ending') phase = 'active';
    throw error;
  });
}

/** Loads another document without the session; until then, the page does not change. */
export function leaveSession(address: string): void {
  phase = 'left';
  account.forget();
  browserStorage.drop(TOKEN_KEY);
  window.location.assign(address);
}

/**
 * The server has refused this token: its user goes home, unless the page or another tab has ended or replaced it.
 * @param reason the code of the banner there
 */
export function leaveRefusedSession(token: string, reason: string): void {
  if (phase === 'ending' || readToken() !== token || (browserStorage.read(TOKEN_KEY) ?? token) !== token)
    return;
  // Public, and read by users whose account was deleted.
  if (window.location.pathname.startsWith('/data-deletion/')) {
    dropToken();
    return;
  }
  rememberWantedAddress(window.location);
  leaveSession(homeAddress(window.location.search, reason));
}

/** Facebook appends this to every address that its login returns to. */
const FACEBOOK_MARK = '#_=_';

/** The address where the server sends a login that it cannot verify. */
const REFUSED = '/?error=INVALID_STATE';

/** Removes the `?token=…` of a login from the address, and stores it if it belongs to this browser's login. */
function takeTokenFromAddress(): void {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  const isMarked = address.hash === FACEBOOK_MARK;
  if (token === null && !isMarked) return;
  address.searchParams.delete('token');
  if (isMarked) address.hash = '';
  const isOwn = !!token && (!isOwnServer() || takeLoginCookie() === tokenFingerprint(token));
  const isRefused = !isOwn && !!token && readToken() === null;
  const next = isOwn ? takeWantedAddress(address) : isRefused ? REFUSED : address;
  window.history.replaceState(window.history.state, '', next);
  if (!isOwn) return;
  const before = readToken();
  saveToken(token);
  if (before !== null && before !== token) endAtServer(before, true);
}

/** Our own server sent this document, so a login must have its cookie. */
export function isOwnServer(): boolean {
  return document.querySelector(`meta[name="${OWN_SERVER_META}"]`) !== null;
}

/** Reads and deletes the cookie. */
function takeLoginCookie(): string | null {
  const isSecure = window.location.protocol === 'https:';
  const name = loginCookieName(isSecure);
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) return null;
  document.cookie = `${name}=;path=/;max-age=0;samesite=lax${isSecure ? ';secure' : ''}`;
  return found.slice(name.length + 1);
}

/** Ends a session at the server. Without a network, when the network returns. */
export function endAtServer(token: string, isReplaced = false): void {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ isReplaced });
  fetch('/auth/logout', { method: 'POST', headers, body, keepalive: true }).catch(() => {
    window.addEventListener('online', () => endAtServer(token, isReplaced), { once: true });
  });
}
