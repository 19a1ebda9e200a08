import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const writeMany = (pace: Pace, count: number, now: number): void => {
  for (let i = 0; i < count; i += 1) pace.wroteAt(now);
};

test('hurried is who writes more than fifty times a second, and nobody a second later', () => {
  const pace = new Pace();
  writeMany(pace, 50, 10_000);
  expect(pace.isHurried(10_900)).toBe(false);
  writeMany(pace, 1, 10_950);
  expect([10_960, 11_000, 11_999, 12_000, 3_600_000].map((now) => pace.isHurried(now))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('a clock that is put back makes nobody hurry', () => {
  const pace = new Pace();
  writeMany(pace, 100, 3_600_000);
  expect(pace.isHurried(10_000)).toBe(false);
});
