import { isDatabaseUnavailable } from '../db/pool/pool.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Chunks under way at a time: a slow database gets larger chunks, not more of them. */
const AT_ONCE = 2;

/**
 * Collects single items for a short moment and carries them out together: one transaction for up to `max` ad
 * accounts instead of one each, which is what bounds the engine when thousands of accounts are due at once.
 * If that fails, each is carried out by itself.
 * @param run gets the items and answers with one result for each, in their order; all of it or nothing is done
 */
export function inChunks<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  limits: { max: number; waitMs: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let timer: NodeJS.Timeout | null = null;
  let running = 0;

  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (running < AT_ONCE && waiting.length > 0) {
      running += 1;
      void carryOut(waiting.splice(0, limits.max)).finally(() => {
        running -= 1;
        flush();
      });
    }
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
      if (chunk.length > 1 && !isDatabaseUnavailable(error)) for (const one of chunk) await carryOut([one]);
      else for (const { reject } of chunk) reject(error);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= limits.max) flush();
      else timer ??= setTimeout(flush, limits.waitMs);
    });
}
