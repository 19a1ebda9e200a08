import { setImmediate as nextRound } from 'node:timers/promises';

/** After that it is the turn of others: pages, their streams, timers. One piece of work may go beyond. */
const WORK_MS = 8;

/**
 * Hundreds of answers can come at the same moment, and each lets its turn go on. Node would carry all of that out
 * before it comes round to anybody else. So the engine stops when it has worked for long enough, and goes on in the
 * next round of the event loop.
 */
export class Breaks {
  readonly #nowMs: () => number;
  /** When the first piece of work of this round began. */
  #since: number | null = null;

  /** @param nowMs a clock that nobody sets */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** To be asked before each piece of work, which begins at once if none is due: between waiting and working others would ask. */
  areDue(): boolean {
    const now = this.#nowMs();
    if (this.#since === null) {
      this.#since = now;
      // Comes before whoever takes a break from now on.
      setImmediate(() => (this.#since = null));
    }
    return now - this.#since >= WORK_MS;
  }

  /** Comes back in a round that has time for a piece of work. */
  async take(): Promise<void> {
    while (this.areDue()) await nextRound();
  }
}
