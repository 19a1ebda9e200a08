import { expect, test } from 'vitest';
import { outagesOf } from './outage.ts';

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

test('a history without disruption has no outage', () => {
  expect(outagesOf([{ level: 'UP', at: 0 }])).toEqual([]);
});
