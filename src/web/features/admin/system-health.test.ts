import { expect, test } from 'vitest';
import { countsOf, foundCopy } from './system-health.tsx';

test('the counts of a part name what is not zero', () => {
  const holds = { needsAttention: true, oldest: null, pausing: 0, paused: 5000, notResumable: 2 };
  expect(countsOf(holds)).toBe('5,000 paused, 2 can’t be resumed now');
  expect(countsOf({ needsAttention: true, usedRatio: 0.97 })).toBe('97% of Meta’s limit');
});

test('the time of a part says since when it lasts, or how old its oldest case is', () => {
  const now = Date.parse('2026-01-08T12:40Z');
  const oldest = '2026-01-08T12:00Z';
  const part = { needsAttention: true, oldest };
  const due = { ...part, due: 12, working: 0, limited: 0, planned: 0 };
  expect(foundCopy(due, now)).toBe('12 due, the\u00a0oldest\u00a040\u00a0minutes\u00a0ago');
  expect(foundCopy({ ...part, usedRatio: 0.97, stopped: null, said: null }, now)).toBe(
    '97% of Meta’s limit, for 40 minutes',
  );
  expect(foundCopy(part, now)).toBe('for 40 minutes');
  expect(foundCopy(part, Date.parse(oldest))).toBe('for under 1 minute');
});
