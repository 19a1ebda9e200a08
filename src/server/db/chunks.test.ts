import { expect, test, vi } from 'vitest';
import { inChunks } from './chunks.ts';
import { DatabaseUnavailableError } from './pool/pool.ts';

test('items that come together are carried out together, and each gets its own result', async () => {
  const chunks: number[][] = [];
  const double = inChunks(
    (items: number[]) => {
      chunks.push(items);
      return Promise.resolve(items.map((item) => item * 2));
    },
    { max: 3, waitMs: { least: 1, most: 1 }, atOnce: 2 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(double))).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(chunks).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

test('an item that fails takes no other with it', async () => {
  const run = inChunks(
    (items: string[]) => (items.includes('bad') ? Promise.reject(new Error('no')) : Promise.resolve(items)),
    { max: 2, waitMs: { least: 1, most: 1 }, atOnce: 2 },
  );
  const results = await Promise.allSettled(['bad', 'x', 'y'].map(run));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('while as many chunks are under way as may be, the next one gathers', async () => {
  const chunks: number[][] = [];
  const gates: (() => void)[] = [];
  const run = inChunks(
    async (items: number[]) => {
      chunks.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items;
    },
    { max: 2, waitMs: { least: 1, most: 1 }, atOnce: 1 },
  );
  const all = Promise.all([1, 2, 3, 4, 5].map(run));
  for (const so of [[1, 2], [3, 4], [5]]) {
    await vi.waitFor(() => expect(chunks.at(-1)).toEqual(so));
    gates.shift()?.();
  }
  expect(await all).toEqual([1, 2, 3, 4, 5]);
});

test('where nothing is to be waited for, only what comes while others are under way is collected', async () => {
  vi.useFakeTimers();
  try {
    const chunks: number[][] = [];
    const gates: (() => void)[] = [];
    const run = inChunks(
      async (items: number[]) => {
        chunks.push(items);
        await new Promise<void>((resolve) => gates.push(resolve));
        return items;
      },
      { max: 50, waitMs: { least: 0, most: 0 }, atOnce: 2 },
    );
    const all = Promise.all([1, 2, 3, 4].map(run));
    expect(chunks).toEqual([[1], [2]]);
    gates.shift()?.();
    await vi.waitFor(() => expect(chunks).toEqual([[1], [2], [3, 4]]));
    for (const open of gates) open();
    expect(await all).toEqual([1, 2, 3, 4]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('a chunk is no heavier than it may be, unless one item is', async () => {
  const chunks: number[][] = [];
  const run = inChunks(
    (items: number[]) => {
      chunks.push(items);
      return Promise.resolve(items);
    },
    { max: 4, waitMs: { least: 1, most: 1 }, atOnce: 1, maxWeight: 10, weightOf: (item) => item },
  );
  await Promise.all([4, 6, 1, 25, 3, 3, 3, 1, 1].map(run));
  expect(chunks).toEqual([[4, 6], [1], [25], [3, 3, 3, 1], [1]]);
});

test('what comes fast is collected for longer, and what comes alone again for a shorter time', async () => {
  vi.useFakeTimers();
  try {
    const chunks: number[][] = [];
    const carry = inChunks(
      (items: number[]) => {
        chunks.push(items);
        return Promise.resolve(items);
      },
      { max: 50, waitMs: { least: 5, most: 40 }, atOnce: 1 },
    );
    const comes = (...items: number[]) => void items.map((item) => carry(item));
    comes(1, 2, 3, 4, 5, 6);
    await vi.advanceTimersByTimeAsync(5);
    expect(chunks).toEqual([[1, 2, 3, 4, 5, 6]]);
    comes(7);
    await vi.advanceTimersByTimeAsync(23);
    expect(chunks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(chunks.at(-1)).toEqual([7]);
    comes(8);
    await vi.advanceTimersByTimeAsync(5);
    expect(chunks.at(-1)).toEqual([8]);
  } finally {
    vi.useRealTimers();
  }
});

test('for a page so many wait and no more, and none once the database cannot be asked', async () => {
  const gate = Promise.withResolvers<undefined>();
  const limits = { max: 2, waitMs: { least: 0, most: 0 }, atOnce: 1, maxWaiting: 2 };
  const run = inChunks(async () => {
    await gate.promise;
    throw new DatabaseUnavailableError('it is away');
  }, limits);
  const asked = [1, 2, 3, 4].map((item) => run(item));
  await expect(asked[3]).rejects.toThrow('too many wait');
  const others = Promise.allSettled(asked.slice(0, 3));
  gate.resolve(undefined);
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
