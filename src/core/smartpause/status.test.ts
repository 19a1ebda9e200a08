import { describe, expect, test } from 'vitest';
import { currentStatus, firstMatchSince, INITIAL_STATUS, nextStatus, touchedThresholds } from './status.ts';

describe('status', () => {
  const high = nextStatus(INITIAL_STATUS, { trueLevel: 'HIGH_DISRUPTION' }, 100);

  test('a new level records since when each threshold is met', () => {
    expect(high).toEqual({
      trueLevel: 'HIGH_DISRUPTION',
      directive: null,
      effective: 'HIGH_DISRUPTION',
      known: 'HIGH_DISRUPTION',
      knownIsFromBackup: false,
      matchSince: { LOW: 100, MEDIUM: 100, HIGH: 100 },
    });
    const low = nextStatus(high, { trueLevel: 'LOW_DISRUPTION' }, 200);
    expect(low.matchSince).toEqual({ LOW: 100, MEDIUM: 200, HIGH: 200 });
  });

  test('the first of the matches that last: a threshold above the level has none', () => {
    const low = nextStatus(high, { trueLevel: 'LOW_DISRUPTION' }, 200);
    const matchSince = { LOW: 300, MEDIUM: 200, HIGH: 200 };
    expect([high, low, { ...low, matchSince }].map(firstMatchSince)).toEqual([100, 100, 300]);
    expect(firstMatchSince(nextStatus(high, { trueLevel: 'UP' }, 400))).toBeNull();
  });

  test('the same observation again changes nothing', () => {
    expect(nextStatus(high, { trueLevel: 'HIGH_DISRUPTION' }, 900)).toEqual(high);
  });

  test('[ENG-10] UNKNOWN changes neither the known level nor any match', () => {
    const unknown = nextStatus(high, { trueLevel: 'UNKNOWN' }, 200);
    expect(unknown).toMatchObject({
      effective: 'UNKNOWN',
      known: 'HIGH_DISRUPTION',
      matchSince: high.matchSince,
    });
    const up = nextStatus(unknown, { trueLevel: 'UP' }, 300);
    expect(up.matchSince).toEqual({ LOW: 300, MEDIUM: 300, HIGH: 300 });
  });

  test('a level from a backup counts as such until the next known one', () => {
    const restored = {
      ...high,
      trueLevel: 'UNKNOWN',
      effective: 'UNKNOWN',
      knownIsFromBackup: true,
    } as const;
    expect(nextStatus(restored, { trueLevel: 'UNKNOWN' }, 200).knownIsFromBackup).toBe(true);
    const known = nextStatus(restored, { trueLevel: 'UP' }, 300);
    expect(known.knownIsFromBackup).toBe(false);
    expect(nextStatus(known, { trueLevel: 'UNKNOWN' }, 400).knownIsFromBackup).toBe(false);
  });

  test('[ENG-03] an override replaces the true status until it ends', () => {
    const forced = nextStatus(high, { directive: 'FORCE_UP' }, 200);
    expect(forced).toMatchObject({ trueLevel: 'HIGH_DISRUPTION', effective: 'UP', known: 'UP' });
    expect(nextStatus(forced, { directive: null }, 300)).toMatchObject({ effective: 'HIGH_DISRUPTION' });
  });

  test('a change concerns users whose threshold is or was met', () => {
    const low = nextStatus(high, { trueLevel: 'LOW_DISRUPTION' }, 200);
    expect(touchedThresholds(INITIAL_STATUS, low)).toEqual(['LOW']);
    expect(touchedThresholds(high, low)).toEqual(['LOW', 'MEDIUM', 'HIGH']);
  });

  test('an outdated observation makes the status UNKNOWN', () => {
    const seen = { ...high, checkedAt: 1000 };
    expect(currentStatus(seen, 61_000, 60_000)).toBe(seen);
    expect(currentStatus(seen, 61_001, 60_000)).toMatchObject({
      effective: 'UNKNOWN',
      known: 'HIGH_DISRUPTION',
    });
    const forced = { ...nextStatus(high, { directive: 'FORCE_LOW' }, 200), checkedAt: null };
    expect(currentStatus(forced, 61_001, 60_000).effective).toBe('LOW_DISRUPTION');
  });
});
