import type { Instant } from '#core/time.ts';

/** The time and its alarms. A parameter of everything that waits, so that a test or a replay can own it. */
export interface Clock {
  now(): Instant;
  /** Calls back after that many milliseconds of this clock's time. The answer cancels it. */
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
