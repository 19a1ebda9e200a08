/** What ends everything that a process had under way: nothing of it ever comes back. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** The lifetime of one simulated process. It may end before or after any call to the outside. */
export class Lifetime {
  readonly name: string;
  #isAlive = true;
  /** How many more dealings with the world it survives; null: all. */
  #left: number | null = null;
  #onDeath: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** The process is killed in the course of one of its next dealings with the world: before it, or after it was done. */
  endAfter(callsLeft: number): void {
    this.#left = callsLeft;
  }

  /** It is not killed after all. */
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

  /** Something outside of the process's own memory: a query, a call, a mail. */
  async perform<T>(act: () => Promise<T>): Promise<T> {
    if (!this.#survives()) return never();
    try {
      const result = await act();
      return this.#survives() ? result : await never();
    } catch (error) {
      if (!this.isAlive) return await never();
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
