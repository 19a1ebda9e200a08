import { expect, test } from 'vitest';
import { hours, minutes } from '../time.ts';
import { settled, settledShare } from './settling.ts';

test.each([
  [-hours(5), 0.9],
  [0, 0.9],
  [minutes(30), 0.91],
  [hours(2), 0.97],
  [hours(3), 0.99],
  [hours(30), 1],
])('[SPEND-02] %i ms after its end, a day has %f of its spend', (ms, share) => {
  expect(settledShare(ms)).toBeCloseTo(share);
});

test('[SPEND-02] values are corrected by their age when they were read', () => {
  expect(settled(970, 0, hours(2))).toBeCloseTo(1000);
});
