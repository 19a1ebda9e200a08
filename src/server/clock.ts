import os from 'node:os';
import type { Instant } from '#core/time.ts';

/** Injected time and timers, so that a test or a replay can control them. */
export interface Clock {
  now(): Instant;
  /** Calls back after this many milliseconds of this clock's time. Returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A larger difference between the machine's clock and its passing of time is a step, or the machine has slept. */
const JUMP_MS = 1000;

/**
 * The time at the start and what has passed since: a step of the machine's clock moves no due time. The time in which
 * the machine sleeps has passed, too, so that a call from before is late; `performance.now` leaves it out.
 */
export class MachineClock implements Clock {
  readonly #startedAt = Date.now() - performance.now();
  /** By how much the other two clocks of the machine are ahead of `performance.now`. */
  #dateAhead = this.#startedAt;
  readonly #uptimeAhead = uptimeMs() - performance.now();
  #sleptMs = 0;

  now(): Instant {
    const passed = performance.now();
    const dateAhead = Date.now() - passed;
    if (Math.abs(dateAhead - this.#dateAhead) > JUMP_MS) {
      this.#dateAhead = dateAhead;
      const sleptMs = uptimeMs() - passed - this.#uptimeAhead;
      // Only a difference that counts: the uptime is coarse.
      if (sleptMs - this.#sleptMs > JUMP_MS) this.#sleptMs = sleptMs;
    }
    return Math.round(this.#startedAt + passed + this.#sleptMs);
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }
}

/** It goes on while the machine sleeps, and no step moves it. */
function uptimeMs(): number {
  return os.uptime() * 1000;
}

export const systemClock: Clock = new MachineClock();
