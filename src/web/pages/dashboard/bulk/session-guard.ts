import { onTokenChange, readToken } from '../../../api/token.ts';

export interface SessionGuard {
  /** Aborts when the session changes. */
  signal: AbortSignal;
  /** Throws if the session has changed: another tab may have logged in as another user. */
  check: () => void;
  /** Ends the guard. */
  release: () => void;
}

/** For a run of many calls: warns before the page closes, and lets no call use another session. */
export function guardSession(onChange: () => void): SessionGuard {
  const token = readToken();
  const changed = new AbortController();
  const isSame = () => readToken() === token;
  const ask = (event: BeforeUnloadEvent) => {
    // After a revocation, a deletion or another login the page leaves, and must not warn.
    if (isSame()) event.preventDefault();
  };
  const end = () => {
    if (changed.signal.aborted) return;
    release();
    changed.abort();
    onChange();
  };
  const unwatch = onTokenChange(() => {
    if (!isSame()) end();
  });
  const release = () => {
    window.removeEventListener('beforeunload', ask);
    unwatch();
  };
  window.addEventListener('beforeunload', ask);
  return {
    signal: changed.signal,
    check: () => {
      if (isSame()) return;
      end();
      changed.signal.throwIfAborted();
    },
    release,
  };
}
