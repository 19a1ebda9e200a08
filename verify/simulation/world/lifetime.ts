/** The lifetime of one simulated process. It may end before or after any call to the outside. */
export class Lifetime {
  #isAlive = true;
  /** How many more external calls it survives; null: all. */
  #left: number | null = null;
  #onDeath: (() => void)[] = [];

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Kills the process at one of its next external calls: before the call, or after it. */
  endAfter(callsLeft: number): void {
    this.#left = callsLeft;
  }

  /** Cancels the planned end. */
  cancelEnd(): void {
    this.#left = null;
  }

  end(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const callback of this.#onDeath.splice(0)) callback();
  }

  onDeath(callback: () => void): void {
    if (this.#isAlive) this.#onDeath.push(callback);
    else callback();
  }

  /** Any action outside the process's memory: a query, a call, an email. */
  async perform<T>(act: () => Promise<T>): Promise<T> {
    // Ends all pending work of the process: it never settles.
    const never = new Promise<T>(() => undefined);
    if (!this.#survives()) return never;
    try {
      const result = await act();
      return this.#survives() ? result : await never;
    } catch (error) {
      if (!this.isAlive) return await never;
      throw error;
    }
  }

  /** Does nothing once the process has ended. */
  guard(run: () => void): () => void {
    return () => {
      if (this.#isAlive) run();
    };
  }

  #survives(): boolean {
    if (this.#left !== null && this.#isAlive) {
      this.#left -= 1;
      if (this.#left <= 0) this.end();
    }
    return this.#isAlive;
  }
}
