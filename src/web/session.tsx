import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, use, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { User } from '#contract/shapes.ts';
import { doubtConnection, onConnection } from './connection.ts';
import { forgetPerson, meQuery } from './queries.ts';
import { dropToken, onTokenChange, readShownToken, readToken } from './token.ts';

export type Session =
  | { state: 'logged_out' }
  | { state: 'loading'; logOut: () => void }
  | { state: 'logged_in'; user: User; logOut: () => void };

const SessionContext = createContext<Session | null>(null);

/** Who is here. A token that the server gives no person for is thrown away. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const token = useSyncExternalStore(onTokenChange, readShownToken);
  const { data: user, isLoadingError } = useQuery({ ...meQuery, enabled: token !== null });

  // When a person who is known cannot be asked for again, that is the network; a session that ended says so itself.
  useEffect(() => {
    if (isLoadingError) dropToken();
  }, [isLoadingError]);
  useEffect(() => {
    if (token === null) forgetPerson(client);
  }, [client, token]);

  const session = useMemo<Session>(() => {
    if (token === null) return { state: 'logged_out' };
    return user === undefined ? { state: 'loading', logOut } : { state: 'logged_in', user, logOut };
  }, [token, user]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The page forgets the session at once; the server ends it as soon as it hears of it. */
function logOut(): void {
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

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionProvider around it');
  return session;
}

/** For the pages behind the login, which are not drawn without a person. */
export function useUser(): User {
  const session = useSession();
  if (session.state !== 'logged_in') throw new Error('this part of the page needs somebody who is logged in');
  return session.user;
}

/** The server has ended the session: a moment to read the last word, then away. */
export function leaveSoon(address: string, afterMs: number): void {
  setTimeout(() => window.location.assign(address), afterMs);
}
