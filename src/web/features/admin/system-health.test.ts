import { expect, test } from 'vitest';
import { countsOf } from './system-health.tsx';

test('the counts of a part name what is not zero', () => {
  const holds = { needsAttention: true, oldest: null, pausing: 0, paused: 5000, notResumable: 2 };
  expect(countsOf(holds)).toBe('5,000 paused, 2 can’t be resumed now');
  expect(countsOf({ needsAttention: true, usedRatio: 0.97 })).toBe('97% of Meta’s limit');
});
