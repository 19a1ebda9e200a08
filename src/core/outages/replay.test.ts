import { describe, expect, test } from 'vitest';
import type { ResumeSettings } from '../settings.ts';
import { hours, minutes } from '../time.ts';
import type { KnownLevel, Threshold } from '../smartpause/level.ts';
import { outagesOf } from './outage.ts';
import { replayOutages } from './replay.ts';

const at = (text: string) => Date.parse(text);
const INSTANT: ResumeSettings = { mode: 'instant' };
const AN_HOUR: ResumeSettings = { mode: 'delay', delay: { value: 1, unit: 'hours' } };

function replay(
  history: [string, KnownLevel][],
  threshold: Threshold,
  resume: ResumeSettings = INSTANT,
  timeZones: string[] = [],
) {
  const outages = outagesOf(history.map(([time, level]) => ({ at: at(time), level })));
  const { replays, pausedMs } = replayOutages(outages, { threshold, resume, timeZones });
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString().slice(0, 16));
  return { pauses: replays.map(({ pausedAt, resumedAt }) => [iso(pausedAt), iso(resumedAt)]), pausedMs };
}

/** Low, then high for an hour, then medium for half an hour. */
const OUTAGE: [string, KnownLevel][] = [
  ['2026-01-09T02:00Z', 'LOW_DISRUPTION'],
  ['2026-01-09T02:10Z', 'HIGH_DISRUPTION'],
  ['2026-01-09T03:10Z', 'MEDIUM_DISRUPTION'],
  ['2026-01-09T03:40Z', 'UP'],
];

describe('[HIST-07] a replay of outages', () => {
  test.each([
    ['LOW', '2026-01-09T02:00', '2026-01-09T03:40', minutes(100)],
    ['MEDIUM', '2026-01-09T02:10', '2026-01-09T03:40', minutes(90)],
    ['HIGH', '2026-01-09T02:10', '2026-01-09T03:10', minutes(60)],
  ] as const)('threshold %s pauses from %s to %s', (threshold, from, to, pausedMs) => {
    expect(replay(OUTAGE, threshold)).toEqual({ pauses: [[from, to]], pausedMs });
  });

  const WAITING = ['2026-01-09T02:10', '2026-01-09T04:10'] as const;
  test.each<
    [string, [string, KnownLevel][], Threshold, ResumeSettings, [string | null, string | null], number]
  >([
    ['a delay counts from the end of the match', OUTAGE, 'HIGH', AN_HOUR, [...WAITING], minutes(120)],
    // The next 12:01 AM in New York.
    [
      'next day',
      OUTAGE,
      'MEDIUM',
      { mode: 'next_day' },
      ['2026-01-09T02:10', '2026-01-09T05:01'],
      minutes(171),
    ],
    ['below the threshold', OUTAGE.slice(0, 1), 'MEDIUM', INSTANT, [null, null], 0],
  ])('%s', (_title, history, threshold, resume, pause, pausedMs) => {
    expect(replay(history, threshold, resume)).toEqual({ pauses: [pause], pausedMs });
  });

  test('a new match before the resume keeps campaigns paused, and the time counts once', () => {
    const twice: [string, KnownLevel][] = [
      ['2026-02-01T10:00Z', 'HIGH_DISRUPTION'],
      ['2026-02-01T11:00Z', 'UP'],
      ['2026-02-01T11:30Z', 'HIGH_DISRUPTION'],
      ['2026-02-01T12:00Z', 'UP'],
    ];
    expect(replay(twice, 'HIGH', AN_HOUR)).toEqual({
      pauses: [
        ['2026-02-01T10:00', '2026-02-01T13:00'],
        ['2026-02-01T10:00', '2026-02-01T13:00'],
      ],
      pausedMs: hours(3),
    });
    expect(replay(twice, 'HIGH')).toEqual({
      pauses: [
        ['2026-02-01T10:00', '2026-02-01T11:00'],
        ['2026-02-01T11:30', '2026-02-01T12:00'],
      ],
      pausedMs: hours(1.5),
    });
  });

  test('a level that rises again in one outage counts from its first pause to its last resume', () => {
    const again: [string, KnownLevel][] = [
      ['2026-02-01T10:00Z', 'HIGH_DISRUPTION'],
      ['2026-02-01T10:30Z', 'LOW_DISRUPTION'],
      ['2026-02-01T11:00Z', 'HIGH_DISRUPTION'],
      ['2026-02-01T11:15Z', 'UP'],
    ];
    expect(replay(again, 'HIGH')).toEqual({
      pauses: [['2026-02-01T10:00', '2026-02-01T11:15']],
      pausedMs: minutes(45),
    });
  });

  test('a pause without an end does not count; a delayed one counts until its resume', () => {
    const open = replay(OUTAGE.slice(0, 2), 'HIGH');
    expect(open).toEqual({ pauses: [['2026-01-09T02:10', null]], pausedMs: 0 });
    const waiting = replay(OUTAGE, 'HIGH', AN_HOUR);
    expect(waiting).toEqual({ pauses: [['2026-01-09T02:10', '2026-01-09T04:10']], pausedMs: hours(2) });
  });
});
