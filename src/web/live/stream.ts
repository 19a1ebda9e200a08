import { useSyncExternalStore } from 'react';
import type { Change } from '#contract/changes.ts';
import { change } from '#contract/changes.ts';
import { onTokenChange, readToken } from '../token.ts';
import { shareStream } from './share.ts';

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
 * Hears of changes while somebody is logged in and looks at the page. A hidden page hears of none, and takes its part
 * again when it is looked at. The first of each stream is that everything may have changed.
 */
export function keepStream(onChange: (change: Change) => void): void {
  let current: { leaving: AbortController; token: string } | null = null;

  const reconsider = (): void => {
    const token = document.visibilityState === 'visible' ? readToken() : null;
    if (current?.token === (token ?? undefined)) return;
    current?.leaving.abort();
    current = null;
    become(false);
    if (token === null) return;
    const leaving = new AbortController();
    current = { leaving, token };
    void shareStream(token, leaving.signal, {
      onData: (data) => leaving.signal.aborted || hear(data),
      onOpenElsewhere: () => {
        if (!isOpen) tell({ what: 'everything' });
      },
      onSign: () => undefined,
      onEnd: () => leaving.signal.aborted || become(false),
    });
  };

  const tell = (one: Change): void => {
    if (!isOpen && one.what !== 'everything') onChange({ what: 'everything' });
    become(true);
    onChange(one);
  };

  /** What this page does not understand is of a newer server, and asking again will show it. */
  const hear = (data: string): void => {
    try {
      tell(change.parse(JSON.parse(data)));
    } catch (error) {
      console.warn('Not understood, from the stream of changes:', error);
    }
  };

  document.addEventListener('visibilitychange', reconsider);
  onTokenChange(reconsider);
  reconsider();
}
