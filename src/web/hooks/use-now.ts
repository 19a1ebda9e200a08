import { useSyncExternalStore } from 'react';
import type { Instant } from '#core/time.ts';
import { seconds } from '#core/time.ts';
import { sharedValue } from './shared-value.ts';

const TICK = seconds(5);

const now = sharedValue<Instant>(Date.now(), () => {
  const update = () => now.become(Date.now());
  update();
  const timer = setInterval(update, TICK);
  return () => clearInterval(timer);
});

/** The time, at most a few seconds old: one clock for the whole page. */
export function useNow(): Instant {
  return useSyncExternalStore(now.subscribe, now.read, now.read);
}
