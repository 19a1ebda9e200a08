import type { Instant } from '#core/time.ts';
import type { Clock } from './clock.ts';

export interface Cached<T> {
  read: () => Promise<T>;
  /** The next call reads again. */
  expire: () => void;
}

/** Keeps the last reading for some time. Concurrent callers share a reading; a failed one is not kept. */
export function cached<T>(clock: Pick<Clock, 'now'>, forMs: number, read: () => Promise<T>): Cached<T> {
  let kept: { at: Instant; value: Promise<T> } | null = null;
  const expire = (): void => {
    kept = null;
  };
  return {
    expire,
    read() {
      const at = clock.now();
      if (kept !== null && Math.abs(at - kept.at) < forMs) return kept.value;
      const fresh = { at, value: read() };
      kept = fresh;
      fresh.value.catch(() => {
        if (kept === fresh) expire();
      });
      return fresh.value;
    },
  };
}
