import { expect, test } from 'vitest';
import { ageWords } from './list-age-words.ts';

const NOW = 1_790_000_000_000;

test.each([
  [30_000, 'This list is from less than a minute ago.'],
  [-5_000, 'This list is from less than a minute ago.'],
  [61_000, 'This list is from 1 minute ago.'],
  [180_000, 'This list is from 3 minutes ago.'],
  [2 * 3_600_000, 'This list is from 2 hours ago.'],
  [50 * 3_600_000, 'This list is from 2 days ago.'],
])('%i ms old: %s', (age, words) => {
  expect(ageWords(NOW - age, NOW)).toBe(words);
});
