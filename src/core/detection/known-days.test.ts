import { expect, test } from 'vitest';
import { isUnusualDay } from './known-days.ts';

test.each([
  ['2026-11-25', false],
  ['2026-11-26', true],
  ['2026-11-27', true],
  ['2026-11-28', true],
  ['2026-11-30', true],
  ['2026-12-01', false],
  // The first of November is a Thursday, then a Friday.
  ['2029-11-22', true],
  ['2029-11-27', false],
  ['2024-11-21', false],
  ['2024-11-28', true],
  ['2024-12-02', true],
  ['2024-12-03', false],
  ['2026-12-23', false],
  ['2026-12-24', true],
  ['2026-12-31', true],
  ['2027-01-01', true],
  ['2027-01-02', false],
  ['2026-07-24', false],
  ['2026-03-01', false],
])('%s is unlike others: %s', (day, expected) => {
  expect(isUnusualDay(day)).toBe(expected);
});
