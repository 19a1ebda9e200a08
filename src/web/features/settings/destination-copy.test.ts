import { expect, test } from 'vitest';
import { listedCopy } from './destination-copy.ts';

test.each([
  [0, 'Nothing was sent in the last 30 days.'],
  [1, null],
  [199, null],
  [200, 'These are the newest 200 deliveries.'],
])('[CHAN-02] %i deliveries of 30 days', (count, copy) => {
  expect(listedCopy(count)).toBe(copy);
});
