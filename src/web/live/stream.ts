import { useSyncExternalStore } from 'react';
import type { Change } from '#contract/changes.ts';
import { change } from '#contract/changes.ts';
import { sharedValue } from '../shared-value.ts';
import { onTokenChange, readToken } from '../token.ts';
import { shareStream } from './share.ts';

const openness = sharedValue(false);

/** Whether changes are heard of at once. If not, asking again and again is all there is. */
export const isLive = openness.read;

export function useIsLive(): boolean {
  return useSyncExternalStore(openness.subscribe, isLive);
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
    openness.become(false);
    if (token === null) return;
    const leaving = new AbortController();
    current = { leaving, token };
    void shareStream(token, leaving.signal, {
      onData: (data) => leaving.signal.aborted || hear(data),
      onOpenElsewhere: () => {
        if (!isLive()) tell({ what: 'everything' });
      },
      onSign: () => undefined,
      onEnd: () => leaving.signal.aborted || openness.become(false),
    });
  };

  const tell = (one: Change): void => {
    if (!isLive() && one.what !== 'everything') onChange({ what: 'everything' });
    openness.become(true);
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
