import type { Instant } from '#core/time.ts';

export interface Cached<T> {
  read: () => Promise<T>;
  /** The next call reads again. */
  expire: () => void;
}

/** Keeps the last reading for some time. Concurrent callers share a reading; a failed one is not kept. */
export function cached<T>(forMs: number, read: () => Promise<T>, now: () => Instant): Cached<T> {
  let kept: { at: Instant; value: Promise<T> } | null = null;
  return {
    expire() {
      kept = null;
    },
    read() {
      const at = now();
      if (kept !== null && Math.abs(at - kept.at) < forMs) return kept.value;
      const fresh = { at, value: read() };
      kept = fresh;
      fresh.value.catch(() => {
        if (kept === fresh) kept = null;
      });
      return fresh.value;
    },
  };
}
