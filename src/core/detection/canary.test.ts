import { expect, test } from 'vitest';
import { hours, minutes } from '../time.ts';
import type { CanaryRun } from './canary.ts';
import { mayWrite, nextRunAt } from './canary.ts';

const run = (given: Partial<CanaryRun> = {}): CanaryRun => ({
  ...{ at: 0, failures: 0, failed: {}, campaign: null, usedPercent: 0 },
  ...given,
});

test('[EARLY-01] the canary calls each minute, and less often near a limit', () => {
  expect(nextRunAt(run())).toBe(minutes(1));
  expect(nextRunAt(run({ usedPercent: 50 }))).toBe(minutes(5));
});

test('[EARLY-01] after three failed runs the canary only reads', () => {
  expect([null, run({ failures: 2 }), run({ failures: 3 })].map(mayWrite)).toEqual([true, true, false]);
});

test('[EARLY-01] in an outage of two hours its failed calls stay below 15 % of 500', () => {
  let at = 0;
  let calls = 0;
  for (let failures = 1; at < hours(2); failures++) {
    calls += mayWrite(run({ failures: failures - 1 })) ? 3 : 2;
    at = nextRunAt(run({ at, failures }));
    expect(at).toBeLessThanOrEqual(hours(2) + minutes(8));
  }
  expect(calls).toBeGreaterThan(30);
  expect(calls).toBeLessThan(0.15 * 500);
});
