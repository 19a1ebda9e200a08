import { expect, test } from 'vitest';
import { ageLabel } from './stale.tsx';

const NOW = 1_790_000_000_000;

test.each([
  [30_000, 'Showing data from less than a minute ago.'],
  [-5_000, 'Showing data from less than a minute ago.'],
  [61_000, 'Showing data from 1 minute ago.'],
  [180_000, 'Showing data from 3 minutes ago.'],
  [2 * 3_600_000, 'Showing data from 2 hours ago.'],
  [50 * 3_600_000, 'Showing data from 2 days ago.'],
])('%i ms old: %s', (age, words) => {
  expect(ageLabel(NOW - age, NOW)).toBe(words);
});
