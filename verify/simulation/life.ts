/** What ends everything that a process had under way: nothing of it ever comes back. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** One life of one simulated process. It may end before or after anything that it asks of the world around it. */
export class Life {
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
  endsAfter(dealings: number): void {
    this.#left = dealings;
  }

  /** It is not killed after all. */
  spare(): void {
    this.#left = null;
  }

  end(): void {
    if (!this.#isAlive) return;
    this.#isAlive = false;
    for (const tell of this.#onDeath.splice(0)) tell();
  }

  onDeath(tell: () => void): void {
    if (this.#isAlive) this.#onDeath.push(tell);
    else tell();
  }

  /** Something outside of the process's own memory: a query, a call, a mail. */
  async deal<T>(act: () => Promise<T>): Promise<T> {
    if (!this.#survives()) return never();
    try {
      const result = await act();
      return this.#survives() ? result : await never();
    } catch (error) {
      if (!this.isAlive) return await never();
      throw error;
    }
  }

  /** What nobody is left to do is not done. */
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
