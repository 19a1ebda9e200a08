/** The account's time: the computer's, moved by the control API. Stripe counts in seconds. */
export class Clock {
  offsetMs = 0;
  #stoppedAt: number | null = null;

  nowMs(): number {
    return this.#stoppedAt ?? Date.now() + this.offsetMs;
  }

  now(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Runs due work at its due time, also when the clock has been moved far beyond it. */
  at(seconds: number, run: () => void): void {
    const before = this.#stoppedAt;
    this.#stoppedAt = seconds * 1000;
    try {
      run();
    } finally {
      this.#stoppedAt = before;
    }
  }
}

export const HOUR = 3600;
export const DAY = 24 * HOUR;
