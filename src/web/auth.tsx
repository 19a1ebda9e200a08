import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { User } from '#contract/shapes.ts';
import { doubtConnection, onConnection } from './api/connection.ts';
import { forgetPerson, meQuery } from './api/queries.ts';
import { loginAddress } from './browser/return-to.ts';
import { dropToken, onTokenChange, readShownToken, readToken, saveToken } from './api/token.ts';

export interface Auth {
  /** Null while logged out, and while the server is asked for the user of the token. */
  user: User | null;
  token: string | null;
  /** There is a token, and its user is not known yet. */
  loading: boolean;
  /** Navigates to the login. @param returnTo the path that the login comes back to */
  login: (returnTo: string) => void;
  logout: () => void;
  /** Stores a token that the server has issued in place of the current one. */
  updateToken: (token: string) => void;
}

const AuthContext = createContext<Auth | null>(null);

/** Provides the user who is logged in. A token whose user the server does not return is removed. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const token = useSyncExternalStore(onTokenChange, readShownToken, readShownToken);
  const { data, isLoadingError } = useQuery({ ...meQuery, enabled: token !== null });
  const user = (token === null ? null : data) ?? null;

  // A failure after the user is known is the network; a session that has ended answers 401.
  useEffect(() => {
    if (isLoadingError) dropToken();
  }, [isLoadingError]);
  useEffect(() => {
    if (token === null) forgetPerson(client);
  }, [client, token]);

  const auth = useMemo<Auth>(
    () => ({ user, token, loading: token !== null && user === null, login, logout, updateToken: saveToken }),
    [token, user],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

function login(returnTo: string): void {
  window.location.assign(loginAddress(returnTo));
}

/** The page removes the token at once; the server ends the session when the request reaches it. */
function logout(): void {
  const token = readToken();
  dropToken();
  if (token !== null) endSession(token);
}

/** Without a connection, as soon as there is one again. */
function endSession(token: string): void {
  const headers = { authorization: `Bearer ${token}` };
  fetch('/auth/logout', { method: 'POST', headers, keepalive: true }).catch(() => {
    const stop = onConnection(() => {
      stop();
      endSession(token);
    });
    doubtConnection();
  });
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth needs an AuthProvider around it');
  return auth;
}

/** The user, for pages behind the login: those are not drawn without one. */
export function useUser(): User {
  const { user } = useAuth();
  if (user === null) throw new Error('this part of the page needs a user who is logged in');
  return user;
}

/** Navigates after the server has ended the session, so that the last message can be read before. */
export function leaveSoon(address: string, afterMs: number): void {
  setTimeout(() => window.location.assign(address), afterMs);
}
