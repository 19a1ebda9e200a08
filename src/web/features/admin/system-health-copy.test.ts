import { expect, test } from 'vitest';
import { countsOf } from './system-health-copy.ts';

const part = { needsAttention: false, oldest: null };

test.each([
  [
    { ...part, pausing: 0, paused: 5000, resuming: 1, notResumable: 2 },
    '5,000 paused, 1 resuming, 2 can’t be resumed now',
  ],
  [{ ...part, waiting: 2, retried: 0, failed: 1 }, '2 waiting, 1 abandoned today'],
  [{ ...part, refused: 0, undecryptable: 0 }, 'None'],
])('%j counts what is not zero', (found, counts) => {
  expect(countsOf(found)).toBe(counts);
});
