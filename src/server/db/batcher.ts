import { isDatabaseUnavailable } from './pool.ts';

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface BatchLimits<Item> {
  /** An item that is larger gets a batch of its own. */
  maxSize: number;
  sizeOf?: (item: Item) => number;
}

/** How long the first item waits for others. */
const GATHER_MS = 5;

/**
 * Group commit: items that arrive while one transaction runs are carried out together in the next.
 * When a batch fails, each of its items is tried by itself.
 * @param run returns one result for each item, in their order; it does all of them or none
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { maxSize, sizeOf = () => 1 }: BatchLimits<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Entry<Item, Result>[] = [];
  let isRunning = false;

  const takeBatch = (): Entry<Item, Result>[] => {
    let size = 0;
    const end = waiting.findIndex(({ item }, index) => (size += sizeOf(item)) > maxSize && index > 0);
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };
  const runBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && !isDatabaseUnavailable(error)) for (const one of batch) await runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  };
  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) await runBatch(takeBatch());
    isRunning = false;
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    if (!isRunning) setTimeout(() => void runAll(), GATHER_MS);
    isRunning = true;
    return promise;
  };
}
