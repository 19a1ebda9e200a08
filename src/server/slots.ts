/** So many at a time. Of those that come too late for that some wait, first come first served; others are sent away. */
export class Slots {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /**
   * Whose turn it is calls pass() in the end. Nobody's turn: too many wait, or it has not come within that time.
   * @param patienceMs Infinity: it is waited for however long that takes
   */
  async take(patienceMs: number): Promise<boolean> {
    if (this.#taken < this.#atOnce) {
      this.#taken += 1;
      return true;
    }
    if (this.#waiting.size >= this.#mostWaiting) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = (): void => {
      this.#waiting.delete(begin);
      resolve(false);
    };
    const timer = Number.isFinite(patienceMs) ? setTimeout(giveUp, patienceMs) : undefined;
    const begin = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    this.#waiting.add(begin);
    return promise;
  }

  pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
