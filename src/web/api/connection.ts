import { useSyncExternalStore } from 'react';
import { seconds } from '#core/time.ts';
import { sharedValue } from '../hooks/shared-value.ts';

/** Whether our server can be reached from here. */
export type Connection = 'fine' | 'offline' | 'unreachable';

const TRY_EVERY_MS = seconds(5);
const ANSWER_WITHIN_MS = seconds(10);

/** While somebody listens, it also hears of a network that goes or comes back while nothing is being asked. */
const connection = sharedValue<Connection>('fine', () => {
  window.addEventListener('offline', doubtConnection);
  window.addEventListener('online', doubtConnection);
  return () => {
    window.removeEventListener('offline', doubtConnection);
    window.removeEventListener('online', doubtConnection);
  };
});
let isChecking = false;
let nextTry: ReturnType<typeof setTimeout> | undefined;

/** A call was not answered. That may have been about this call alone, so the server is asked. */
export function doubtConnection(): void {
  void check();
}

async function check(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  clearTimeout(nextTry);
  const isReached = await reachesServer();
  isChecking = false;
  // What the browser thinks of the network chooses the words only: a server on this machine needs none.
  connection.become(isReached ? 'fine' : navigator.onLine ? 'unreachable' : 'offline');
  // An answer to a browser without a network may have been the last one under way.
  if (!isReached || !navigator.onLine) nextTry = setTimeout(doubtConnection, TRY_EVERY_MS);
}

function reachesServer(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return fetch('/health', { cache: 'no-store', signal }).then(
    // Any answer of the server will do, also that it has no such page; a gateway answers for one that is away.
    ({ status }) => status < 500,
    () => false,
  );
}

export function isConnected(): boolean {
  return connection.read() === 'fine';
}

export const onConnectionChange = connection.subscribe;

/** Asks the server now, and says so to whoever watches the connection. */
export async function isReachable(): Promise<boolean> {
  const isReached = await reachesServer();
  if (!isReached) doubtConnection();
  return isReached;
}

/** Calls when the connection is there again after it was not. */
export function onConnection(listener: () => void): () => void {
  return onConnectionChange(() => {
    if (isConnected()) listener();
  });
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, connection.read);
}
