import { useSyncExternalStore } from 'react';
import type { Change } from '#contract/changes.ts';
import { CHANGES_PATH, change } from '#contract/changes.ts';
import { seconds } from '#core/time.ts';
import { hearOfRefusedToken } from '../call.ts';
import { doubtConnection, isConnected, onConnectionChange } from '../connection.ts';
import { onTokenChange, readToken } from '../token.ts';
import { readEvents } from './read-events.ts';

/** The server gives a sign of life every 20 s. */
const SILENCE_MS = seconds(50);
const FIRST_RETRY_MS = seconds(1);
const LAST_RETRY_MS = seconds(30);
/** A stream that did not last is no reason to hurry with the next. */
const LASTING_MS = seconds(10);

export interface StreamHandlers {
  /** Open, for the first time or again: whatever was shown before may be out of date. */
  onOpen: () => void;
  onChange: (change: Change) => void;
}

let isOpen = false;
const listeners = new Set<() => void>();

/** Whether changes are heard of at once. If not, asking again and again is all there is. */
export function isLive(): boolean {
  return isOpen;
}

export function useIsLive(): boolean {
  return useSyncExternalStore(onLiveChange, isLive);
}

function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function become(open: boolean): void {
  if (open === isOpen) return;
  isOpen = open;
  for (const listener of listeners) listener();
}

/**
 * Keeps one stream open while somebody is logged in and looks at the page. A hidden page has none, since browsers allow
 * but six connections to a host; it opens one when it is looked at again.
 */
export function keepStream(handlers: StreamHandlers): void {
  let current: { leaving: AbortController; token: string } | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const reconsider = (): void => {
    const token = document.visibilityState === 'visible' ? readToken() : null;
    if (current !== null && current.token === token) return;
    clearTimeout(retry);
    current?.leaving.abort();
    current = null;
    become(false);
    if (token !== null) void open(token);
  };

  /** What kept it from opening may be over. */
  const hurry = (): void => {
    failures = 0;
    if (isConnected()) reconsider();
  };

  const open = async (token: string): Promise<void> => {
    const leaving = new AbortController();
    current = { leaving, token };
    const isCurrent = () => current?.leaving === leaving;
    const openedAt = performance.now();
    const hasFailed = await read(token, leaving, isCurrent).then(
      () => false,
      () => true,
    );
    if (!isCurrent()) return;
    current = null;
    become(false);
    failures = performance.now() - openedAt > LASTING_MS ? 1 : failures + 1;
    // One that breaks off says nothing yet: a server that is just replaced ends all its streams.
    if (hasFailed && failures > 1) doubtConnection();
    const longest = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
    retry = setTimeout(reconsider, longest * (0.5 + Math.random() / 2));
  };

  const read = async (token: string, leaving: AbortController, isCurrent: () => boolean): Promise<void> => {
    let silence = setTimeout(() => leaving.abort(), SILENCE_MS);
    const onSign = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => leaving.abort(), SILENCE_MS);
    };
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(CHANGES_PATH, { headers, cache: 'no-store', signal: leaving.signal });
      if (answer.status === 401) await hearOfRefusedToken(token);
      if (!answer.ok || answer.body === null || !isCurrent()) return;
      become(true);
      handlers.onOpen();
      await readEvents(answer.body, { onSign, onData: (data) => hear(data, handlers) });
    } finally {
      clearTimeout(silence);
    }
  };

  document.addEventListener('visibilitychange', reconsider);
  window.addEventListener('online', hurry);
  onTokenChange(reconsider);
  onConnectionChange(hurry);
  reconsider();
}

/** What this page does not understand is of a newer server, and asking again will show it. */
function hear(data: string, { onChange }: StreamHandlers): void {
  try {
    onChange(change.parse(JSON.parse(data)));
  } catch (error) {
    console.warn('Not understood, from the stream of changes:', error);
  }
}
