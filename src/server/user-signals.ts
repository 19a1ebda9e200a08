/** Wakes requests that wait for a change of what their user sees; a change of any process counts. */
export class UserSignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Calls back at each change of the user's rows, and when some may have been missed. Returns a function that ends it. */
  on(userId: string, callback: () => void): () => void {
    const own = this.#waiting.get(userId) ?? new Set();
    this.#waiting.set(userId, own.add(callback));
    return () => {
      own.delete(callback);
      if (own.size === 0) this.#waiting.delete(userId);
    };
  }

  send(userId: string): void {
    for (const callback of [...(this.#waiting.get(userId) ?? [])]) callback();
  }

  sendAll(): void {
    for (const userId of [...this.#waiting.keys()]) this.send(userId);
  }
}
