import { describe, expect, test } from 'vitest';
import type { Replay } from './what-if.tsx';
import { pastOutagesCopy, pausedFor, replaySummary, resumeChoices } from './what-if.tsx';

const replay: Replay = {
  startedAt: '2026-01-09T02:10:00.000Z',
  endedAt: '2026-01-09T04:08:00.000Z',
  peak: 'HIGH_DISRUPTION',
  source: 'documented',
  pausedAt: '2026-01-09T02:10:00.000Z',
  resumedAt: '2026-01-09T04:13:00.000Z',
};
const below: Replay = { ...replay, pausedAt: null, resumedAt: null };
const open: Replay = { ...replay, endedAt: null, resumedAt: null };
const notYet = 'The current one doesn’t count yet.';
const since = '2025-11-25T00:00:00.000Z';

describe('[HIST-07] the words of a replay', () => {
  test.each([
    [
      [replay, below],
      7_380_000,
      '1 of 2 outages in the last 12 months would have paused your campaigns',
      '2\u00a0h\u00a03\u00a0min in total.',
      '',
    ],
    [
      [open, replay],
      7_380_000,
      '1 of 1 outage in the last 12 months would have paused your campaigns',
      '2\u00a0h\u00a03\u00a0min in total.',
      notYet,
    ],
    [[below], 0, 'Nothing would have been paused in 1 outage in the last 12 months', '', ''],
    [[{ ...below, endedAt: null }], 0, 'No earlier outage is known in the last 12 months', '', notYet],
    [[], 0, 'No outage is known in the last 12 months', '', ''],
  ])('summary %#', (replays, pausedMs, ...words) => {
    expect(replaySummary({ since, replays, pausedMs })).toEqual(words);
  });

  test('the line of the form counts the same', () => {
    expect(pastOutagesCopy({ since, replays: [open, replay, below], pausedMs: 7_380_000 })).toBe(
      'Your campaigns would have been paused for 2\u00a0h\u00a03\u00a0min in the last 12 months.',
    );
    expect(pastOutagesCopy({ since, replays: [below], pausedMs: 0 })).toBe(
      'Nothing would have been paused in 1 outage in the last 12 months.',
    );
  });

  test.each([
    [replay, '2 h 3 min'],
    [below, 'Not paused: below your threshold'],
    [{ ...replay, resumedAt: null }, 'Still paused'],
    [{ ...replay, pausedAt: '2026-01-09T02:08:00.000Z' }, '2 h 5 min, since the outage before'],
  ])('paused for %#', (given, words) => {
    expect(pausedFor(given)).toBe(words);
  });

  test('the saved resume settings are a choice, once', () => {
    const own = { mode: 'delay', delay: { value: 17, unit: 'minutes' } } as const;
    expect(resumeChoices(own)[0]).toEqual(own);
    expect(resumeChoices(own)).toHaveLength(6);
    expect(resumeChoices({ mode: 'instant' })).toHaveLength(5);
  });
});
