import { arrivalCookie, arrivalMark } from '#contract/arrival.ts';
import { isOwnServer } from './own-server.ts';
import { takeWanted } from '../browser/return-to.ts';
import { TOKEN_KEY } from '../browser/storage-keys.ts';
import { lasting } from '../browser/storage.ts';

const listeners = new Set<() => void>();

/** What the page goes by; it lags behind the storage only while somebody is being told goodbye. */
let shown: string | null | undefined;

export function readToken(): string | null {
  return lasting.read(TOKEN_KEY);
}

export function readShownToken(): string | null {
  if (shown === undefined) shown = readToken();
  return shown;
}

export function saveToken(token: string): void {
  lasting.write(TOKEN_KEY, token);
  announce();
}

/** While a call is under way with whose answer the server ends this session, others that are refused are patient. */
let replaced: Promise<unknown> = Promise.resolve();

/** The answer may bring a new session. */
export function replaceToken<Answer extends { token?: string | undefined }>(
  asking: Promise<Answer>,
  updateToken: (token: string) => void,
): Promise<Answer> {
  return replacing(asking, ({ token }) => {
    if (token !== undefined) updateToken(token);
  });
}

/** There is none after the answer: the page shows its last words, and then leaves by itself. */
export function endToken<Answer>(asking: Promise<Answer>): Promise<Answer> {
  return replacing(asking, () => lasting.drop(TOKEN_KEY));
}

function replacing<Answer>(asking: Promise<Answer>, take: (answer: Answer) => void): Promise<Answer> {
  const taken = asking.then((answer) => {
    take(answer);
    return answer;
  });
  replaced = taken.catch(() => undefined);
  return taken;
}

export async function whenReplaced(): Promise<void> {
  await replaced;
}

export function dropToken(): void {
  lasting.drop(TOKEN_KEY);
  announce();
}

/** Also hears of a login or logout in another tab. */
export function onTokenChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== TOKEN_KEY && event.key !== null) return;
    // Nothing of what is on the page, typed or read, may pass from one person to another.
    if (shown != null && readToken() !== null && readToken() !== shown) window.location.reload();
    else announce();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** What Facebook puts behind every address that its login returns to. */
const FACEBOOK_MARK = '#_=_';

/** The login returns with `?token=…`: it leaves the address before anything else looks at it, and is kept if it is ours. */
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

/** Where the server sends whose login cannot be verified as theirs. */
const REFUSED = '/?error=INVALID_STATE';

/** Of which token the server has told this browser that it comes; it says so once. */
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
  lasting.write(TOKEN_KEY, token);
  if (before !== null && before !== token) endReplaced(before);
}

/** Nobody waits for it, and whatever it meets: the new session is here. */
function endReplaced(token: string): void {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ isReplaced: true });
  fetch('/auth/logout', { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
}

function announce(): void {
  shown = readToken();
  for (const listener of listeners) listener();
}
