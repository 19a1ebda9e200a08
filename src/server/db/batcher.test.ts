import { expect, test, vi } from 'vitest';
import type { BatchLimits } from './batcher.ts';
import { Batcher } from './batcher.ts';
import { DatabaseUnavailableError } from './pool/pool.ts';

const ALONE: BatchLimits = { maxSize: 4, waitMs: 1, concurrency: 1 };

/** Records the batches and returns each item. */
function recording(limits: BatchLimits<number>) {
  const batches: number[][] = [];
  const batcher = new Batcher((items: number[]) => {
    batches.push(items);
    return Promise.resolve(items);
  }, limits);
  return { batches, add: (...items: number[]) => Promise.all(items.map((item) => batcher.add(item))) };
}

/** Each batch runs until the test ends the oldest one. */
function held(limits: BatchLimits<number>) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const batcher = new Batcher(async (items: number[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items;
  }, limits);
  return { batches, end: () => ends.shift()?.(), add: (item: number) => batcher.add(item) };
}

test('items that come together are carried out together, and each gets its own result', async () => {
  const { batches, add } = recording({ maxSize: 3, waitMs: 1, concurrency: 2 });
  expect(await add(1, 2, 3, 4, 5, 6, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

test('an item that fails takes no other with it', async () => {
  const batcher = new Batcher(
    (items: string[]) => (items.includes('bad') ? Promise.reject(new Error('no')) : Promise.resolve(items)),
    { ...ALONE, maxSize: 2 },
  );
  const results = await Promise.allSettled(['bad', 'x', 'y'].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('the next batch grows while as many run as may', async () => {
  const { batches, end, add } = held({ ...ALONE, maxSize: 2 });
  const all = Promise.all([1, 2, 3, 4, 5].map(add));
  for (const so of [[1, 2], [3, 4], [5]]) {
    await vi.waitFor(() => expect(batches.at(-1)).toEqual(so));
    end();
  }
  expect(await all).toEqual([1, 2, 3, 4, 5]);
});

test('items wait for others as long as they may, from the first one on', async () => {
  vi.useFakeTimers();
  try {
    const { batches, add } = recording({ ...ALONE, maxSize: 50, waitMs: 5 });
    void add(1, 2);
    await vi.advanceTimersByTimeAsync(4);
    void add(3);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([[1, 2, 3]]);
  } finally {
    vi.useRealTimers();
  }
});

test('without a waiting time only items that come while others run are collected', async () => {
  vi.useFakeTimers();
  try {
    const { batches, end, add } = held({ maxSize: 50, waitMs: 0, concurrency: 2 });
    const all = Promise.all([1, 2, 3, 4].map(add));
    expect(batches).toEqual([[1], [2]]);
    end();
    await vi.waitFor(() => expect(batches).toEqual([[1], [2], [3, 4]]));
    end();
    end();
    expect(await all).toEqual([1, 2, 3, 4]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a batch is no heavier than it may be, unless one item is', async () => {
  const { batches, add } = recording({ ...ALONE, maxWeight: 10, weightOf: (item) => item });
  await add(4, 6, 1, 25, 3, 3, 3, 1, 1);
  expect(batches).toEqual([[4, 6], [1], [25], [3, 3, 3, 1], [1]]);
});

test('requests wait up to a limit, and none of them once the database is unavailable', async () => {
  const gate = Promise.withResolvers<undefined>();
  const batcher = new Batcher(
    async () => {
      await gate.promise;
      throw new DatabaseUnavailableError('it is away');
    },
    { maxSize: 2, waitMs: 0, concurrency: 1, maxWaiting: 2 },
  );
  const asked = [1, 2, 3, 4].map((item) => batcher.add(item));
  await expect(asked[3]).rejects.toThrow('Too many requests wait');
  const others = Promise.allSettled(asked.slice(0, 3));
  gate.resolve(undefined);
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
