import { describe, expect, test } from 'vitest';
import type { ResumeSettings } from '../settings.ts';
import type { Instant } from '../time.ts';
import type { Threshold } from './level.ts';
import type { ResumeChoice } from './resume-time.ts';
import { afterThresholdEdit, resumeAt, resumeTime } from './resume-time.ts';
import type { Status } from './status.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';

const at = (iso: string): number => Date.parse(iso);

describe('resumeTime', () => {
  test('[ENG-06] instant resumes at once', () => {
    expect(resumeTime({ mode: 'instant' }, 1234)).toBe(1234);
  });

  test.each([
    [5, 'minutes', 300_000],
    [60, 'minutes', 3_600_000],
    [24, 'hours', 86_400_000],
    [3, 'days', 259_200_000],
  ] as const)('[ENG-07] delay: %i %s after the match ended', (value, unit, ms) => {
    expect(resumeTime({ mode: 'delay', delay: { value, unit } }, 1000)).toBe(1000 + ms);
  });

  test.each([
    ['an evening in winter', '2026-01-09T04:08:00Z', '2026-01-09T05:01:00Z'],
    ['an evening in summer', '2026-07-10T03:00:00Z', '2026-07-10T04:01:00Z'],
    ['exactly 12:01 AM is over, the next one counts', '2026-01-09T05:01:00Z', '2026-01-10T05:01:00Z'],
    ['one millisecond before', '2026-01-09T05:00:59.999Z', '2026-01-09T05:01:00Z'],
    ['between midnight and 12:01', '2026-01-09T05:00:30Z', '2026-01-09T05:01:00Z'],
    ['the evening before clocks go forward', '2026-03-08T04:30:00Z', '2026-03-08T05:01:00Z'],
    ['the day clocks go forward: 23 hours', '2026-03-08T05:01:00Z', '2026-03-09T04:01:00Z'],
    ['after the gap on that day', '2026-03-08T07:30:00Z', '2026-03-09T04:01:00Z'],
    ['the evening before clocks go back', '2026-11-01T03:59:00Z', '2026-11-01T04:01:00Z'],
    ['the day clocks go back: 25 hours', '2026-11-01T04:01:00Z', '2026-11-02T05:01:00Z'],
    ['in the hour that comes twice', '2026-11-01T05:30:00Z', '2026-11-02T05:01:00Z'],
    ['the last day of the year', '2026-12-31T20:00:00Z', '2027-01-01T05:01:00Z'],
    ['the leap day', '2028-02-29T12:00:00Z', '2028-03-01T05:01:00Z'],
  ])('[ENG-08] next_day: 12:01 AM New York after %s', (_title, ended, expected) => {
    expect(new Date(resumeTime({ mode: 'next_day' }, at(ended))).toISOString()).toBe(
      new Date(at(expected)).toISOString(),
    );
  });
});

describe('resumeAt', () => {
  const resume: ResumeSettings = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };
  const choice: ResumeChoice = { threshold: 'MEDIUM', resume, thresholdEdit: null };
  const high = nextStatus(INITIAL_STATUS, { trueLevel: 'HIGH_DISRUPTION' }, 1000);
  const low = nextStatus(high, { trueLevel: 'LOW_DISRUPTION' }, 2000);
  const up = nextStatus(low, { trueLevel: 'UP' }, 3000);

  test('[ENG-09] schedules nothing while the threshold is met', () => {
    expect(resumeAt(high, choice)).toBeNull();
    expect(resumeAt(nextStatus(up, { trueLevel: 'MEDIUM_DISRUPTION' }, 4000), choice)).toBeNull();
  });

  test('[ENG-07] counts from when this threshold was last met, not from the end of the outage', () => {
    expect(resumeAt(low, choice)).toBe(2000 + 600_000);
    expect(resumeAt(up, choice)).toBe(2000 + 600_000);
    expect(resumeAt(up, { ...choice, threshold: 'LOW' })).toBe(3000 + 600_000);
  });

  test('edited resume settings count from the same moment', () => {
    expect(resumeAt(up, { ...choice, resume: { mode: 'instant' } })).toBe(2000);
  });

  test('[ENG-10] UNKNOWN keeps the schedule', () => {
    expect(resumeAt(nextStatus(up, { trueLevel: 'UNKNOWN' }, 5000), choice)).toBe(2000 + 600_000);
  });

  test('a match that a raised threshold ended counts from that edit', () => {
    const medium = nextStatus(INITIAL_STATUS, { trueLevel: 'MEDIUM_DISRUPTION' }, 1000);
    const unknown = nextStatus(medium, { trueLevel: 'UNKNOWN' }, 1500);
    expect(resumeAt(unknown, editedTo('HIGH', choice, unknown, 1700))).toBe(1700 + 600_000);
  });

  test('a level that fell below the new threshold before the edit ended no match', () => {
    const edited = editedTo('LOW', { ...choice, threshold: 'HIGH' }, up, 9000);
    expect(up.matchSince).toMatchObject({ HIGH: 2000, LOW: 3000 });
    expect(resumeAt(up, edited)).toBe(2000 + 600_000);
    expect(resumeAt(up, editedTo('HIGH', edited, up, 9500))).toBe(2000 + 600_000);
  });

  test('changes after the edit count by the new threshold', () => {
    const edited = editedTo('LOW', { ...choice, threshold: 'HIGH' }, up, 9000);
    const again = nextStatus(up, { trueLevel: 'LOW_DISRUPTION' }, 10_000);
    expect(resumeAt(again, edited)).toBeNull();
    expect(resumeAt(nextStatus(again, { trueLevel: 'UP' }, 11_000), edited)).toBe(11_000 + 600_000);
  });

  test('a match that exists only since the edit ends when the level falls', () => {
    const unknown = nextStatus(low, { trueLevel: 'UNKNOWN' }, 2500);
    const edited = editedTo('LOW', { ...choice, threshold: 'HIGH' }, unknown, 2600);
    expect(resumeAt(unknown, edited)).toBeNull();
    expect(resumeAt(nextStatus(unknown, { trueLevel: 'UP' }, 3000), edited)).toBe(3000 + 600_000);
  });
});

function editedTo(threshold: Threshold, before: ResumeChoice, status: Status, now: Instant): ResumeChoice {
  return { ...before, threshold, thresholdEdit: afterThresholdEdit(before, threshold, status, now) };
}

describe('afterThresholdEdit', () => {
  const medium = nextStatus(INITIAL_STATUS, { trueLevel: 'MEDIUM_DISRUPTION' }, 1000);
  const up = nextStatus(medium, { trueLevel: 'UP' }, 2000);
  const EDITED = 3000;
  const EARLIER = { matchEndedAt: 1500, matchSince: null };

  test.each([
    ['the same threshold changes nothing', medium, 'MEDIUM', null, 'MEDIUM', null],
    ['the same threshold keeps an earlier edit', up, 'HIGH', EARLIER, 'HIGH', EARLIER],
    ['raised out of a match: it ends now', medium, 'MEDIUM', null, 'HIGH', [EDITED, null]],
    ['raised while a resume is scheduled: from the same moment', up, 'MEDIUM', null, 'HIGH', [2000, null]],
    ['lowered while a resume is scheduled: from the same moment', up, 'MEDIUM', null, 'LOW', [2000, 2000]],
    ['edited twice: from the same moment', up, 'HIGH', EARLIER, 'LOW', [1500, 2000]],
    ['edited although it was never met', up, 'HIGH', null, 'LOW', [null, 2000]],
  ] as const)('%s', (_title, status, threshold, before, edited, expected) => {
    const after = afterThresholdEdit({ threshold, thresholdEdit: before }, edited, status, EDITED);
    expect(Array.isArray(expected) && after ? [after.matchEndedAt, after.matchSince] : after).toEqual(
      expected,
    );
  });
});
