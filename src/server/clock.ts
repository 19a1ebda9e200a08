import type { Instant } from '#core/time.ts';

/** Injected time and timers, so that a test or a replay can control them. */
export interface Clock {
  now(): Instant;
  /** Calls back after this many milliseconds of this clock's time. Returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
