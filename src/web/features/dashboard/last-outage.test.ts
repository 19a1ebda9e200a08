import { describe, expect, test } from 'vitest';
import type { OutageSummary } from '#contract/outage-api.ts';
import { isToldOnDashboard, lastOutageCopy } from './last-outage.tsx';

const NOW = Date.parse('2026-11-25T20:00:00Z');

const outage = (change: Partial<OutageSummary> = {}): OutageSummary => ({
  id: '1',
  startedAt: '2026-11-25T02:10:00.000Z',
  endedAt: '2026-11-25T04:08:00.000Z',
  peak: 'HIGH_DISRUPTION',
  components: [],
  quotes: [],
  threshold: 'MEDIUM',
  matchedAt: '2026-11-25T02:10:00.000Z',
  counts: {
    ...{ paused: 12, resumed: 12, resumedByUser: 0, resumedOutside: 0, beingChecked: 0 },
    ...{ stillPaused: 0, keptPaused: 0, notResumed: 0, notPaused: 0, keptRunning: 0 },
  },
  reason: null,
  lastPauseAfterMs: 14_000,
  ...change,
});

test('[HIST-05] the last outage in one sentence', () => {
  expect(lastOutageCopy(outage(), NOW)).toBe(
    'Yesterday, 9:10 PM – 11:08 PM EST, high disruption: 12 campaigns paused within 14 s of detection, all resumed.',
  );
});

describe('[HIST-05] shown for seven days after the end', () => {
  test.each<[string, Partial<OutageSummary>, boolean]>([
    ['just over', { endedAt: '2026-11-25T19:59:00.000Z' }, true],
    ['almost seven days ago', { endedAt: '2026-11-18T20:01:00.000Z' }, true],
    ['seven days ago', { endedAt: '2026-11-18T20:00:00.000Z' }, false],
    ['not over', { endedAt: null }, false],
    ['below the threshold', { matchedAt: null, reason: 'below_threshold' }, true],
    ['before the setup', { threshold: null, reason: 'not_set_up' }, false],
  ])('%s', (_name, change, expected) => {
    expect(isToldOnDashboard(outage(change), null, NOW)).toBe(expected);
  });

  test('not while a resume is scheduled', () => {
    expect(isToldOnDashboard(outage(), '2026-11-25T20:30:00.000Z', NOW)).toBe(false);
  });
});
