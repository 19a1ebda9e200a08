import { DatabaseUnavailableError, isDatabaseUnavailable } from './pool/pool.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface ChunkLimits<Item = unknown> {
  max: number;
  /** One that is heavier goes alone. */
  maxWeight?: number;
  weightOf?: (item: Item) => number;
  /** For how long they are collected: the longer, the more there were in the chunk before. Not at all where 0 is the most. */
  waitMs: { least: number; most: number };
  /** Chunks under way at a time: a slow database gets larger chunks, not more of them. */
  atOnce: number;
  /** For what somebody waits at a page: no more wait than this, and once the database cannot be asked none of them goes on waiting. */
  maxWaiting?: number;
}

/** What comes faster than this becomes larger chunks, and soon the largest; what comes more slowly waits the shortest time. */
const WAIT_MS_EACH = 4;

/**
 * Collects single items for a short moment and carries them out together: one transaction for up to `max` ad
 * accounts instead of one each, which is what bounds the engine when thousands of accounts are due at once; and one
 * statement for what many pages ask for.
 * If that fails, each is carried out by itself.
 * @param run gets the items and answers with one result for each, in their order; all of it or nothing is done
 */
export function inChunks<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  limits: ChunkLimits<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let timer: NodeJS.Timeout | null = null;
  /** Only what comes while others are under way is collected. */
  const isAtOnce = limits.waitMs.most === 0;
  /** They were collected for long enough. */
  let isDue = false;
  let running = 0;
  let lastSize = 1;

  const flush = (): void => {
    while (
      running < limits.atOnce &&
      waiting.length > 0 &&
      (isDue || isAtOnce || waiting.length >= limits.max)
    ) {
      const chunk = waiting.splice(0, sizeOfNext());
      lastSize = chunk.length;
      running += 1;
      void carryOut(chunk).finally(() => {
        running -= 1;
        flush();
      });
    }
    if (waiting.length > 0) {
      if (!isDue && !isAtOnce) timer ??= setTimeout(becomeDue, waitMs());
      return;
    }
    isDue = false;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };

  const becomeDue = (): void => {
    timer = null;
    isDue = true;
    flush();
  };

  const waitMs = (): number => {
    const { least, most } = limits.waitMs;
    return Math.min(Math.max(least, lastSize * WAIT_MS_EACH), most);
  };

  const sizeOfNext = (): number => {
    const { max, maxWeight = Infinity, weightOf = () => 0 } = limits;
    let weight = 0;
    const end = waiting.slice(0, max).findIndex(({ item }) => (weight += weightOf(item)) > maxWeight);
    return end === -1 ? max : Math.max(1, end);
  };

  const carryOut = async (chunk: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(chunk.map(({ item }) => item));
      chunk.forEach(({ resolve, reject }, index) => {
        if (index in results) resolve(results[index] as Result);
        else reject(new Error('a chunk answered with too few results'));
      });
    } catch (error) {
      // One item that cannot be carried out must not take the others with it; without a database none can.
      const isUnavailable = isDatabaseUnavailable(error);
      if (chunk.length > 1 && !isUnavailable) for (const one of chunk) await carryOut([one]);
      else for (const { reject } of chunk) reject(error);
      if (isUnavailable && limits.maxWaiting !== undefined)
        for (const { reject } of waiting.splice(0)) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= (limits.maxWaiting ?? Infinity))
        throw new DatabaseUnavailableError('too many wait for the database already');
      waiting.push({ item, resolve, reject });
      flush();
    });
}
