import { expect, test } from 'vitest';
import { listAge } from './list-age.ts';
import { minutes, seconds } from './time.ts';

test.each([
  // The clock was set back.
  [-1, 'fresh'],
  [0, 'fresh'],
  [seconds(30), 'fresh'],
  [seconds(30) + 1, 'old'],
  [minutes(5), 'old'],
  [minutes(5) + 1, 'too_old'],
  [minutes(600), 'too_old'],
] as const)('[API-10] a list read %i ms ago is %s', (age, expected) => {
  const readAt = Date.parse('2026-01-08T12:00:00Z');
  expect(listAge(readAt, readAt + age)).toBe(expected);
});
