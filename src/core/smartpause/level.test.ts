import { describe, expect, test } from 'vitest';
import type { KnownLevel, Level, Threshold } from './level.ts';
import { COMMANDS, LEVELS, effectiveLevel, levelNumber, meetsThreshold, nextKnownLevel } from './level.ts';

describe('levels', () => {
  test('[ENG-01] levels and commands carry the numbers of the specification', () => {
    expect(LEVELS.map(levelNumber)).toEqual([0, 1, 2, 3, 4]);
    expect(LEVELS).toEqual(['UP', 'LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION', 'UNKNOWN']);
    expect(COMMANDS).toEqual({ CLEAR: 10, FORCE_UP: 11, FORCE_LOW: 12, FORCE_MEDIUM: 13, FORCE_HIGH: 14 });
  });

  test.each<[Threshold, Level[]]>([
    ['LOW', ['LOW_DISRUPTION', 'MEDIUM_DISRUPTION', 'HIGH_DISRUPTION']],
    ['MEDIUM', ['MEDIUM_DISRUPTION', 'HIGH_DISRUPTION']],
    ['HIGH', ['HIGH_DISRUPTION']],
  ])('[ENG-02] threshold %s is met by exactly %j', (threshold, met) => {
    expect(LEVELS.filter((level) => meetsThreshold(level, threshold))).toEqual(met);
  });

  test.each([
    ['FORCE_UP', 'UP'],
    ['FORCE_LOW', 'LOW_DISRUPTION'],
    ['FORCE_MEDIUM', 'MEDIUM_DISRUPTION'],
    ['FORCE_HIGH', 'HIGH_DISRUPTION'],
  ] as const)(
    '[ENG-03] the override %s makes the effective status %s, whatever the true status',
    (directive, forced) => {
      for (const level of LEVELS) expect(effectiveLevel(level, directive)).toBe(forced);
    },
  );

  test('[ENG-03] without an override, the true status is the effective status', () => {
    for (const level of LEVELS) expect(effectiveLevel(level, null)).toBe(level);
  });

  test('[ENG-10] UNKNOWN leaves the known level unchanged', () => {
    for (const known of LEVELS.slice(0, 4) as KnownLevel[]) {
      expect(nextKnownLevel(known, 'UNKNOWN')).toBe(known);
      expect(nextKnownLevel(known, 'LOW_DISRUPTION')).toBe('LOW_DISRUPTION');
    }
  });
});
