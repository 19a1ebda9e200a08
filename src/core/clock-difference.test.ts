import { expect, test } from 'vitest';
import { clockDifference } from './clock-difference.ts';

const T = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

test.each([
  ['clocks that go right', 0, T, T + 200, T, 0],
  ['a slow response, written early', 0, T, T + 30_000, T + 1000, 0],
  ['a slow response, written late', 0, T, T + 30_000, T + 29_000, 0],
  ['ours is ten minutes ahead', 0, T + 600_000, T + 600_200, T, -599_000],
  ['ours is an hour behind', 0, T - HOUR, T - HOUR + 200, T, HOUR - 200],
  ['it is right again', -599_000, T, T + 200, T, -200],
  ['ours is put back during the call', 0, T + 2 * HOUR, T + 200, T, -200],
  ['known already', -600_000, T + 600_000, T + 600_200, T, -600_000],
] as const)('%s', (_title, before, sentAt, receivedAt, at, expected) => {
  expect(clockDifference(before, { sentAt, at, receivedAt }, 1000)).toBe(expected);
});
