import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LOCKED, createBatcher } from './batcher.ts';
import { DatabaseUnavailableError } from './pool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each batch runs until the test ends it. */
function held(maxSize: number, sizeOf?: (item: number) => number) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const add = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items;
    },
    { maxSize, ...(sizeOf !== undefined && { sizeOf }) },
  );
  const runs = async (batch: number[]) => {
    await vi.advanceTimersByTimeAsync(10);
    expect(batches.at(-1)).toEqual(batch);
  };
  return { add, runs, end: () => ends.shift()?.() };
}

test('items that come together are carried out together, one batch at a time, each with its own result', async () => {
  const { add, runs, end } = held(3);
  const first = [1, 2, 3, 4].map(add);
  await runs([1, 2, 3]);
  const later = [5, 6].map(add);
  for (const batch of [
    [1, 2, 3],
    [4, 5, 6],
  ]) {
    await runs(batch);
    end();
  }
  expect(await Promise.all([...first, ...later])).toEqual([1, 2, 3, 4, 5, 6]);
  const last = add(7);
  await runs([7]);
  end();
  expect(await last).toBe(7);
});

test('a batch is no larger than it may be, unless one item is', async () => {
  const { add, runs, end } = held(10, (item) => item);
  const all = [4, 6, 1, 25, 3, 3, 3, 1, 1].map(add);
  for (const batch of [[4, 6], [1], [25], [3, 3, 3, 1], [1]]) {
    await runs(batch);
    end();
  }
  await Promise.all(all);
});

test('an item that fails takes no other with it', async () => {
  const add = createBatcher(
    (items: string[]) => (items.includes('bad') ? Promise.reject(new Error('no')) : Promise.resolve(items)),
    { maxSize: 2 },
  );
  const settled = Promise.allSettled(['bad', 'x', 'y'].map(add));
  await vi.advanceTimersByTimeAsync(10);
  const results = await settled;
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('no item is tried again while the database is unavailable', async () => {
  const run = vi.fn(() => Promise.reject(new DatabaseUnavailableError('Connection terminated')));
  const add = createBatcher<number, never>(run, { maxSize: 5 });
  const settled = Promise.allSettled([1, 2, 3].map(add));
  await vi.advanceTimersByTimeAsync(10);
  const results = await settled;
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(run).toHaveBeenCalledOnce();
});

describe('an item with locked rows', () => {
  test('is tried again until they are free, and delays no other', async () => {
    let isFree = false;
    const add = createBatcher<string, string>(
      (items) => Promise.resolve(items.map((item) => (item === 'locked' && !isFree ? LOCKED : item))),
      { maxSize: 2 },
    );
    const locked = add('locked');
    const others = Promise.all(['a', 'b', 'c'].map(add));
    await vi.advanceTimersByTimeAsync(10);
    expect(await others).toEqual(['a', 'b', 'c']);
    isFree = true;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await locked).toBe('locked');
  });

  test('fails when they stay locked', async () => {
    const add = createBatcher<string, string>((items) => Promise.resolve(items.map(() => LOCKED)), {
      maxSize: 2,
    });
    const failed = expect(add('locked')).rejects.toThrow('locked');
    await vi.advanceTimersByTimeAsync(15_000);
    await failed;
  });
});
