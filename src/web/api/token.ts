import { arrivalCookie, arrivalMark } from '#contract/arrival.ts';
import { isOwnServer } from './own-server.ts';
import { homeAddress, rememberWanted, takeWanted } from '../browser/return-to.ts';
import { TOKEN_KEY } from '../browser/storage-keys.ts';
import { lasting } from '../browser/storage.ts';
import { sharedValue } from '../hooks/shared-value.ts';

/** The token that the page uses; it differs from the storage only while the last message is shown. */
const shown = sharedValue(readToken(), () => {
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
});

/** Also fires for a login or logout in another tab. */
export const onTokenChange = shown.subscribe;
export const readShownToken = shown.read;

export function readToken(): string | null {
  return lasting.read(TOKEN_KEY);
}

export function saveToken(token: string): void {
  lasting.write(TOKEN_KEY, token);
  shown.become(token);
}

export function dropToken(): void {
  lasting.drop(TOKEN_KEY);
  shown.become(null);
}

function onStorage(event: StorageEvent): void {
  if (event.key !== TOKEN_KEY && event.key !== null) return;
  const [before, token] = [shown.read(), readToken()];
  // A reload ensures that no data of one user stays on the page of another.
  if (before !== null && token !== null && token !== before) window.location.reload();
  else shown.become(token);
}

let isLeaving = false;

/** The call ends the session. The page keeps its token until it has shown its last message. */
export async function endToken<Answer>(asking: Promise<Answer>): Promise<Answer> {
  const token = readToken();
  isLeaving = true;
  return asking.catch((error: unknown) => {
    isLeaving = false;
    const isRefused = error instanceof Error && 'code' in error && error.code === 'UNAUTHENTICATED';
    if (isRefused && token !== null) leaveRefusedSession(token, 'TOKEN_EXPIRED');
    throw error;
  });
}

/** Loads another document without the session; until then, the page does not change. */
export function leaveSession(address: string): void {
  lasting.drop(TOKEN_KEY);
  window.location.assign(address);
}

/**
 * The server has refused this token: its user goes home, unless the page itself has ended or replaced it.
 * @param reason the code of the banner there
 */
export function leaveRefusedSession(token: string, reason: string): void {
  if (isLeaving || readToken() !== token) return;
  // Public, and read by users whose account was deleted.
  if (window.location.pathname.startsWith('/data-deletion/')) {
    dropToken();
    return;
  }
  rememberWanted(window.location);
  leaveSession(homeAddress(window.location.search, reason));
}

/** Facebook appends this to every address that its login returns to. */
const FACEBOOK_MARK = '#_=_';

/** Removes the `?token=…` of a login from the address, and stores it if the arrival cookie matches. */
export function takeTokenFromAddress(): void {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  const isMarked = address.hash === FACEBOOK_MARK;
  if (token === null && !isMarked) return;
  address.searchParams.delete('token');
  if (isMarked) address.hash = '';
  const isArrival = !!token && (!isOwnServer() || takeArrival() === arrivalMark(token));
  window.history.replaceState(window.history.state, '', isArrival ? takeWanted(address) : address);
  if (isArrival) takeArrived(token);
  else if (token && readToken() === null) window.history.replaceState(window.history.state, '', REFUSED);
}

/** The address where the server sends a login that it cannot verify. */
const REFUSED = '/?error=INVALID_STATE';

/** The mark of the token that the server announced in a cookie; reading deletes the cookie. */
function takeArrival(): string | null {
  const isSecure = window.location.protocol === 'https:';
  const name = arrivalCookie(isSecure);
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) return null;
  document.cookie = `${name}=;path=/;max-age=0;samesite=lax${isSecure ? ';secure' : ''}`;
  return found.slice(name.length + 1);
}

function takeArrived(token: string): void {
  const before = readToken();
  saveToken(token);
  if (before !== null && before !== token) endReplaced(before);
}

/** Runs in the background and ignores failures: the new session is already stored. */
function endReplaced(token: string): void {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ isReplaced: true });
  fetch('/auth/logout', { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
}
