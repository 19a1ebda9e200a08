import { expect, test } from 'vitest';
import { inChunks } from './chunks.ts';

test('items that come together are carried out together, and each gets its own result', async () => {
  const chunks: number[][] = [];
  const double = inChunks(
    (items: number[]) => {
      chunks.push(items);
      return Promise.resolve(items.map((item) => item * 2));
    },
    { max: 3, waitMs: 1 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(double))).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(chunks).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
});

test('an item that fails takes no other with it', async () => {
  const run = inChunks(
    (items: string[]) => (items.includes('bad') ? Promise.reject(new Error('no')) : Promise.resolve(items)),
    { max: 2, waitMs: 1 },
  );
  const results = await Promise.allSettled(['bad', 'x', 'y'].map(run));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});
