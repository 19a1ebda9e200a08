import { useSyncExternalStore } from 'react';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';

const TICK = seconds(5);

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now: Instant = Date.now();

function subscribe(listener: () => void): () => void {
  now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function readNow(): Instant {
  return now;
}

/** The time, a few seconds old at most: one clock for all that is shown. */
export function useNow(): Instant {
  return useSyncExternalStore(subscribe, readNow, readNow);
}
