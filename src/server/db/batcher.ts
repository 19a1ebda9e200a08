import { isDatabaseUnavailable } from './pool.ts';

/** The result of an item with rows that another transaction has locked: it is tried again, and delays no other. */
export const LOCKED = Symbol('locked');

interface Entry<Item, Result> {
  item: Item;
  tries: number;
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
/** Longer than the ten seconds after which the database ends a statement or an idle transaction. */
const LOCKED_RETRY_MS = 100;
const LOCKED_TRIES = 120;

/**
 * Group commit: items that arrive while one transaction runs are carried out together in the next.
 * When a batch fails, each of its items is tried by itself.
 * @param run returns one result for each item, in their order; it does all of them or none, except those that are locked
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | typeof LOCKED)[]>,
  { maxSize, sizeOf = () => 1 }: BatchLimits<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Entry<Item, Result>[] = [];
  let isRunning = false;

  const add = (entry: Entry<Item, Result>): void => {
    waiting.push(entry);
    if (!isRunning) setTimeout(() => void runAll(), GATHER_MS);
    isRunning = true;
  };
  const takeBatch = (): Entry<Item, Result>[] => {
    let size = 0;
    const end = waiting.findIndex(({ item }, index) => (size += sizeOf(item)) > maxSize && index > 0);
    return waiting.splice(0, end === -1 ? waiting.length : end);
  };
  const conclude = (entry: Entry<Item, Result>, result: Result | typeof LOCKED): void => {
    entry.tries += 1;
    if (result !== LOCKED) entry.resolve(result);
    else if (entry.tries < LOCKED_TRIES) setTimeout(() => add(entry), LOCKED_RETRY_MS);
    else entry.reject(new Error('Another transaction keeps the rows locked.'));
  };
  const runBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) conclude(entry, results[index] as Result | typeof LOCKED);
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
    add({ item, tries: 0, resolve, reject });
    return promise;
  };
}
