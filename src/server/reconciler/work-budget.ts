import { setImmediate as nextIteration } from 'node:timers/promises';

/** After this time requests and timers run. One piece of work may take longer. */
const BUDGET_MS = 8;

/** Limits how long the reconciler keeps the event loop: hundreds of responses can arrive at the same moment. */
export class WorkBudget {
  readonly #nowMs: () => number;
  /** When the first piece of work of this iteration of the event loop began. */
  #since: number | null = null;

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Checked before each piece of work. Not async: between an awaited check and the work, others would check too. */
  isSpent(): boolean {
    const now = this.#nowMs();
    if (this.#since === null) {
      this.#since = now;
      setImmediate(() => (this.#since = null));
    }
    return now - this.#since >= BUDGET_MS;
  }

  /** Resolves in an iteration of the event loop that has time for a piece of work. */
  async renewed(): Promise<void> {
    while (this.isSpent()) await nextIteration();
  }
}
