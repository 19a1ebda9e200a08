import { expect, test } from 'vitest';
import { levelSince, outagesOf } from './outage.ts';

test('an outage lasts from the first known level above UP until UP again and records its peak', () => {
  const outages = outagesOf([
    { level: 'UP', at: 0 },
    { level: 'LOW_DISRUPTION', at: 10 },
    { level: 'HIGH_DISRUPTION', at: 20 },
    { level: 'HIGH_DISRUPTION', at: 25 },
    { level: 'MEDIUM_DISRUPTION', at: 30 },
    { level: 'UP', at: 40 },
    { level: 'UP', at: 41 },
    { level: 'MEDIUM_DISRUPTION', at: 50 },
  ]);
  expect(outages).toMatchObject([
    { startedAt: 10, endedAt: 40, peak: 'HIGH_DISRUPTION' },
    { startedAt: 50, endedAt: null, peak: 'MEDIUM_DISRUPTION' },
  ]);
  expect(outages[0]?.levels.map(({ at }) => at)).toEqual([10, 20, 30, 40]);
});

test.each([
  ['LOW_DISRUPTION', 10],
  ['MEDIUM_DISRUPTION', 30],
  ['HIGH_DISRUPTION', 40],
] as const)('[UX-19] an outage has been at %s or worse since %i', (level, since) => {
  const levels = [
    { level: 'LOW_DISRUPTION', at: 10 },
    { level: 'HIGH_DISRUPTION', at: 15 },
    { level: 'LOW_DISRUPTION', at: 20 },
    { level: 'MEDIUM_DISRUPTION', at: 30 },
    { level: 'HIGH_DISRUPTION', at: 40 },
  ] as const;
  expect(levelSince({ levels }, level)).toBe(since);
  expect(levelSince({ levels: levels.slice(0, 1) }, 'HIGH_DISRUPTION')).toBeNull();
});

test('a history without disruption has no outage', () => {
  expect(outagesOf([{ level: 'UP', at: 0 }])).toEqual([]);
});
