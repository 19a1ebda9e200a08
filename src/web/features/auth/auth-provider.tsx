import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Capability, User } from '#contract/shapes.ts';
import { CallError } from '../../lib/api-client.ts';
import { useLiveUpdates } from '../../lib/live-updates.ts';
import { meQuery } from './api.ts';
import { forgetUser } from '../../lib/query-client.ts';
import { loginAddress } from '../../lib/return-to.ts';
import {
  dropToken,
  endAtServer,
  leaveRefusedSession,
  onTokenChange,
  shownToken,
  readToken,
  saveToken,
} from '../../lib/session.ts';

export interface Auth {
  /** Null while logged out, and while the user of the token loads. */
  user: User | null;
  token: string | null;
  /** There is a token, and its user is not known yet. */
  loading: boolean;
  /** Navigates to the login. @param returnTo the path that the login returns to */
  login: (returnTo: string) => void;
  logout: () => void;
  /** Stores a token that the server issued in place of the current one. */
  updateToken: (token: string) => void;
}

const AuthContext = createContext<Auth | null>(null);

/** Provides the logged-in user. Removes a token whose user the server does not return. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const token = useSyncExternalStore(onTokenChange, shownToken, shownToken);
  useLiveUpdates(token);
  const { data, error, isLoadingError } = useQuery({ ...meQuery, enabled: token !== null });
  const user = (token === null ? null : data) ?? null;

  // A failure after the user is known is a network error; an ended session returns 401.
  useEffect(() => {
    if (!isLoadingError || token === null) return;
    if (error instanceof CallError) leaveRefusedSession(token, 'SERVER_ERROR');
    else dropToken();
  }, [isLoadingError, error, token]);
  useEffect(() => {
    if (token === null) forgetUser(client);
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

/** Before a logout; what listens may cancel it and ask the user first. */
export const LOGOUT_EVENT = 'smartpause:logout';

/** Removes the token at once; the server ends the session when the request arrives. */
function logout(): void {
  if (!window.dispatchEvent(new Event(LOGOUT_EVENT, { cancelable: true }))) return;
  const token = readToken();
  dropToken();
  if (token !== null) endAtServer(token);
}

export function useAuth(): Auth {
  const auth = use(AuthContext);
  if (auth === null) throw new Error('useAuth needs an AuthProvider around it');
  return auth;
}

/** The user, for pages behind the login: those render only with one. */
export function useUser(): User {
  const { user } = useAuth();
  if (user === null) throw new Error('this part of the page needs a user who is logged in');
  return user;
}

/** Whether the server has this feature; false while the user loads. */
export function useHasCapability(name: Capability): boolean {
  return useAuth().user?.capabilities.includes(name) === true;
}
