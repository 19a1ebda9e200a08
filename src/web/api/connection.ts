import { useSyncExternalStore } from 'react';
import { seconds } from '#core/time.ts';
import { sharedValue } from '../hooks/shared-value.ts';

/** Whether the browser can reach our server. */
export type Connection = 'fine' | 'offline' | 'unreachable';

const TRY_EVERY_MS = seconds(5);
const ANSWER_WITHIN_MS = seconds(10);

/** With a subscriber, it also observes network changes while no call is made. */
const connection = sharedValue<Connection>('fine', () => {
  window.addEventListener('offline', checkConnection);
  window.addEventListener('online', checkConnection);
  return () => {
    window.removeEventListener('offline', checkConnection);
    window.removeEventListener('online', checkConnection);
  };
});
let checking: Promise<void> | undefined;
let nextTry: ReturnType<typeof setTimeout> | undefined;

/** A failed call may be the only one that fails, so this checks the server. */
export function checkConnection(): void {
  void check();
}

function check(): Promise<void> {
  checking ??= checkNow().finally(() => {
    checking = undefined;
  });
  return checking;
}

async function checkNow(): Promise<void> {
  clearTimeout(nextTry);
  const isReached = await reachesServer();
  // The browser's opinion only selects the message: a server on this machine needs no network.
  connection.become(isReached ? 'fine' : navigator.onLine ? 'unreachable' : 'offline');
  // While the browser is offline, a response may be the last one under way.
  if (!isReached || !navigator.onLine) nextTry = setTimeout(checkConnection, TRY_EVERY_MS);
}

function reachesServer(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return fetch('/health', { cache: 'no-store', signal }).then(
    // Any response of the server counts, also a 404; 5xx may come from a gateway whose server is down.
    ({ status }) => status < 500,
    () => false,
  );
}

export function isConnected(): boolean {
  return connection.read() === 'fine';
}

export const onConnectionChange = connection.subscribe;

/** Checks the server now and updates the connection state. */
export async function isReachable(): Promise<boolean> {
  await check();
  return isConnected();
}

export function onConnection(listener: () => void): () => void {
  return onConnectionChange(() => {
    if (isConnected()) listener();
  });
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, connection.read);
}
