import PQueue from 'p-queue';
import { DatabaseUnavailableError, isDatabaseUnavailable } from './pool/pool.ts';

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface BatchLimits<Item = unknown> {
  maxSize: number;
  /** An item that is heavier gets a batch of its own. */
  maxWeight?: number;
  weightOf?: (item: Item) => number;
  /** How long an item waits for others; 0: only while other batches run. */
  waitMs: number;
  /** Batches at a time: a slow database gets larger batches, not more of them. */
  concurrency: number;
  /** For requests: further items are refused, and all that wait when the database is unavailable. */
  maxWaiting?: number;
}

/**
 * Collects single items and carries them out in batches: one transaction or statement for many of them.
 * When a batch fails, each of its items is tried by itself.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #limits: BatchLimits<Item>;
  readonly #queue: PQueue;
  readonly #waiting: Entry<Item, Result>[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param run returns one result for each item, in their order; it does all of them or none */
  constructor(run: (items: Item[]) => Promise<Result[]>, limits: BatchLimits<Item>) {
    this.#run = run;
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  add(item: Item): Promise<Result> {
    const { maxSize, maxWaiting = Infinity, waitMs } = this.#limits;
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new DatabaseUnavailableError('Too many requests wait for the database.'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (waitMs === 0 || this.#waiting.length >= maxSize) this.#enqueue();
    else this.#timer ??= setTimeout(() => this.#enqueue(), waitMs);
    return promise;
  }

  /** At most one batch is queued. It takes its items when it begins. */
  #enqueue(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.size === 0 && this.#waiting.length > 0) void this.#queue.add(() => this.#next());
  }

  async #next(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#sizeOfNext());
    this.#enqueue();
    if (batch.length > 0) await this.#runBatch(batch);
  }

  #sizeOfNext(): number {
    const { maxSize, maxWeight = Infinity, weightOf = () => 0 } = this.#limits;
    let weight = 0;
    const end = this.#waiting
      .slice(0, maxSize)
      .findIndex(({ item }) => (weight += weightOf(item)) > maxWeight);
    return end === -1 ? maxSize : Math.max(1, end);
  }

  async #runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.#refuse(batch, error);
      else if (batch.length > 1) for (const one of batch) await this.#runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  #refuse(batch: Entry<Item, Result>[], error: unknown): void {
    const alsoWaiting = this.#limits.maxWaiting === undefined ? [] : this.#waiting.splice(0);
    for (const { reject } of [...batch, ...alsoWaiting]) reject(error);
  }
}
