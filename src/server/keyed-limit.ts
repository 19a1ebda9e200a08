import PQueue from 'p-queue';

interface Limits {
  /** For each key. */
  concurrency: number;
  /** For each key; further work is refused at once. */
  maxWaiting?: number;
  /** How long work waits to begin. */
  maxWaitMs?: number;
}

/** One concurrency limit for each key, such as a token. A key without work takes no memory. */
export class KeyedLimit {
  readonly #limits: Limits;
  readonly #queues = new Map<string, PQueue>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @param refused the result of work that does not begin */
  async run<T>(key: string, work: () => Promise<T>, refused: () => T): Promise<T> {
    const { maxWaiting = Infinity, maxWaitMs } = this.#limits;
    const queue = this.#queueOf(key);
    if (queue.size >= maxWaiting) return refused();
    const waiting = new AbortController();
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => waiting.abort(), maxWaitMs);
    const begin = (): Promise<T> => {
      clearTimeout(timer);
      return work();
    };
    try {
      return await queue.add(begin, { signal: waiting.signal });
    } catch (error) {
      if (waiting.signal.aborted) return refused();
      throw error;
    }
  }

  #queueOf(key: string): PQueue {
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency: this.#limits.concurrency });
    queue.addEventListener('idle', () => this.#queues.delete(key));
    this.#queues.set(key, queue);
    return queue;
  }
}
