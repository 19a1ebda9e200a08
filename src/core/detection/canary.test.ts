import { describe, expect, test } from 'vitest';
import type { Instant } from '../time.ts';
import { hours, minutes } from '../time.ts';
import type { CanaryRun } from './canary.ts';
import { callsAfter, isNewlyRefused, nextRunAt, reasonOf } from './canary.ts';

const run = (given: Partial<CanaryRun> = {}): CanaryRun => ({
  ...{ at: 0, failures: 0, failed: {}, why: null, campaign: null, usedPercent: 0 },
  ...given,
});

describe('[EARLY-01] the canary', () => {
  test('calls each minute, and less often near a limit', () => {
    expect(nextRunAt(run())).toBe(minutes(1));
    expect(nextRunAt(run({ usedPercent: 50 }))).toBe(minutes(5));
    expect(nextRunAt(run({ failures: 1, why: 'limited' }))).toBe(minutes(30));
  });

  test('a refused token says something about Meta for two hours only', () => {
    let before = run();
    const newly: Instant[] = [];
    for (let at = 0; at < hours(24); at = nextRunAt(before)) {
      before = run({
        at,
        failures: before.failures + 1,
        why: 'refused',
        failed: { campaigns: 'error 190/463' },
      });
      if (isNewlyRefused(before)) newly.push(at);
    }
    expect(newly.at(-1)).toBeGreaterThanOrEqual(hours(1));
    expect(newly.at(-1)).toBeLessThan(hours(2));
    expect(isNewlyRefused(run({ failures: 1, failed: { campaigns: 'error 2' } }))).toBe(false);
  });

  test('only reads after three failed runs, and then only the list', () => {
    expect(callsAfter(null)).toEqual({ writes: true, spend: true });
    expect(callsAfter(run({ failures: 3, why: 'down' }))).toEqual({ writes: false, spend: true });
    expect(callsAfter(run({ failures: 12, why: 'down' }))).toEqual({ writes: false, spend: false });
    expect(callsAfter(run({ failures: 3, why: 'refused' }))).toEqual({ writes: false, spend: false });
  });

  const failedCalls = (why: 'down' | 'refused', ms: number): number => {
    let calls = 0;
    let before: CanaryRun | null = null;
    for (let at = 0; at < ms;) {
      const { writes, spend } = callsAfter(before);
      calls += 1 + Number(writes) + Number(spend);
      before = run({ at, failures: (before?.failures ?? 0) + 1, why });
      at = nextRunAt(before);
    }
    return calls;
  };

  test.each([
    ['down', hours(6)],
    ['refused', hours(48)],
  ] as const)('has fewer than 15 % of 500 calls failed while Meta is %s', (why, ms) => {
    expect(failedCalls(why, ms)).toBeLessThan(0.15 * 500);
  });

  test('notices an outage within minutes of its end', () => {
    for (let failures = 1; failures < 200; failures++)
      expect(nextRunAt(run({ failures, why: 'down' }))).toBeLessThanOrEqual(minutes(8));
  });

  test.each([
    [[], null],
    [['transient', 'permission'], 'down'],
    [['token_invalid'], 'refused'],
    [['permission', 'rejected'], 'refused'],
    [['rate_limited', 'transient'], 'limited'],
  ] as const)('%j is %s', (kinds, why) => {
    expect(reasonOf(kinds.map((kind) => ({ kind })))).toBe(why);
  });
});
