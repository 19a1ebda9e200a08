import { describe, expect, test } from 'vitest';
import { hours, minutes } from '../time.ts';
import { dayOf, firstHourOf, lengthsOf, localHourOf, timeIn } from './local-hours.ts';

const at = (text: string) => Date.parse(text);
const NEW_YORK = 'America/New_York';

describe('[SPEND-02] the hours of an account’s clock', () => {
  test.each([
    ['UTC', '2026-01-09T02:10:00Z', '2026-01-09', 2],
    [NEW_YORK, '2026-01-09T02:10:00Z', '2026-01-08', 21],
    ['Asia/Kolkata', '2026-01-09T02:40:00Z', '2026-01-09', 8],
    ['Pacific/Kiritimati', '2026-01-09T23:00:00Z', '2026-01-10', 13],
  ])('%s at %s', (zone, instant, day, hour) => {
    const found = localHourOf(zone, at(instant));
    expect([dayOf(found), found - firstHourOf(day)]).toEqual([day, hour]);
  });

  /** The shown times by hour of the day. */
  const shown = (zone: string, from: string, until: string) =>
    [...timeIn(zone, [{ from: at(from), until: at(until) }])].map(([hour, time]) => [hour % 24, time]);

  test('a pause is in the parts of its hours', () => {
    expect(shown(NEW_YORK, '2026-01-08T14:30:00-05:00', '2026-01-08T16:15:00-05:00')).toEqual([
      ...[
        [14, 0.5],
        [15, 1],
        [16, 0.25],
      ],
    ]);
  });

  test('an hour that the clock skips has no time, one that it shows twice has two', () => {
    expect(shown(NEW_YORK, '2026-03-08T01:00:00-05:00', '2026-03-08T04:00:00-04:00')).toEqual([
      ...[
        [1, 1],
        [3, 1],
      ],
    ]);
    expect(shown(NEW_YORK, '2026-11-01T00:30:00-04:00', '2026-11-01T02:30:00-05:00')).toEqual([
      ...[
        [0, 0.5],
        [1, 2],
        [2, 0.5],
      ],
    ]);
    expect(shown('Australia/Lord_Howe', '2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z')).toEqual([
      ...[
        [1, 1.5],
        [2, 0.5],
      ],
    ]);
  });

  test('what periods share counts once, and all hours of a year are as long as the year', () => {
    const from = at('2026-01-08T14:00:00Z');
    const twice = [
      { from, until: from + hours(2) },
      { from: from + minutes(30), until: from + hours(1) },
      { from: from + hours(1), until: from + hours(3) },
    ];
    expect([...timeIn('UTC', twice).values()]).toEqual([1, 1, 1]);
    const first = firstHourOf('2026-01-01');
    const lengths = lengthsOf(NEW_YORK, first, first + 365 * 24);
    const ofYear = [...lengths].filter(([hour]) => hour >= first && hour < first + 365 * 24);
    expect(ofYear).toHaveLength(365 * 24 - 1);
    expect(ofYear.reduce((sum, [, time]) => sum + time, 0)).toBe(365 * 24);
  });
});
