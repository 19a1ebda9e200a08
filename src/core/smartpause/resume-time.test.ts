import { afterEach, describe, expect, test } from 'vitest';
import type { ResumeSettings } from '../settings.ts';
import { hours } from '../time.ts';
import { firstResumeTime, resumeAt, resumeTime } from './resume-time.ts';
import { INITIAL_STATUS, nextStatus } from './status.ts';

const at = (iso: string): number => Date.parse(iso);

describe('resumeTime', () => {
  test('[ENG-06] instant resumes at once', () => {
    expect(resumeTime({ mode: 'instant' }, 1234, null)).toBe(1234);
  });

  test.each([
    [5, 'minutes', 300_000],
    [60, 'minutes', 3_600_000],
    [24, 'hours', 86_400_000],
    [3, 'days', 259_200_000],
  ] as const)('[ENG-07] delay: %i %s after the match ended', (value, unit, ms) => {
    expect(resumeTime({ mode: 'delay', delay: { value, unit } }, 1000, null)).toBe(1000 + ms);
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
    expect(new Date(resumeTime({ mode: 'next_day' }, at(ended), 'Asia/Tokyo')).toISOString()).toBe(
      new Date(at(expected)).toISOString(),
    );
  });
});

describe('[FR-21] next_day in the nights when clocks change', () => {
  const CASES = [
    ['30 s after midnight, clocks go back', '2026-11-01T00:00:30-04:00', '2026-11-01T00:01:00-04:00'],
    ['01:30, the first time', '2026-11-01T01:30:00-04:00', '2026-11-02T00:01:00-05:00'],
    ['01:30, the second time', '2026-11-01T01:30:00-05:00', '2026-11-02T00:01:00-05:00'],
    [
      'two minutes after midnight, clocks go forward',
      '2027-03-14T00:02:00-05:00',
      '2027-03-15T00:01:00-04:00',
    ],
  ] as const;
  // Their own clocks change at midnight, and Samoa has skipped a whole day.
  const HOST_ZONES = ['UTC', 'Pacific/Apia', 'America/Santiago', 'America/New_York'];
  const ownZone = process.env['TZ'];
  afterEach(() => {
    if (ownZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = ownZone;
  });

  test.each(CASES.flatMap((one) => HOST_ZONES.map((zone) => [...one, zone] as const)))(
    'a match that ends %s',
    (_what, ended, expected, zone) => {
      process.env['TZ'] = zone;
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
      expect(resumeTime({ mode: 'next_day' }, at(ended), 'Asia/Tokyo')).toBe(at(expected));
    },
  );

  test('every minute of both nights leads to one time, which is the next 12:01 AM', () => {
    for (const [from, times] of [
      ['2026-10-31T12:00:00Z', ['2026-11-01T04:01:00Z', '2026-11-02T05:01:00Z', '2026-11-03T05:01:00Z']],
      ['2027-03-13T12:00:00Z', ['2027-03-14T05:01:00Z', '2027-03-15T04:01:00Z', '2027-03-16T04:01:00Z']],
    ] as const) {
      const due = times.map(at);
      const ends = Array.from({ length: 48 * 60 }, (_one, minute) => at(from) + minute * 60_000);
      expect(ends.map((end) => resumeTime({ mode: 'next_day' }, end, null))).toEqual(
        ends.map((end) => due.find((time) => time > end)),
      );
    }
  });
});

describe('[SPEND-06] next_day in the time zone of the ad account', () => {
  const ACCOUNT: ResumeSettings = { mode: 'next_day', zone: 'account' };
  test.each([
    ['Europe/Berlin', 'in winter', '2026-01-09T04:08:00Z', '2026-01-09T23:01:00Z'],
    ['Europe/Berlin', 'exactly at 12:01 AM', '2026-01-09T23:01:00Z', '2026-01-10T23:01:00Z'],
    ['Europe/Berlin', 'on the day of 23 hours', '2026-03-28T23:01:00Z', '2026-03-29T22:01:00Z'],
    ['Europe/Berlin', 'on the day of 25 hours', '2026-10-24T22:01:00Z', '2026-10-25T23:01:00Z'],
    ['Asia/Kolkata', 'half an hour off', '2026-01-09T18:20:00Z', '2026-01-09T18:31:00Z'],
    ['Pacific/Auckland', 'a day ahead', '2026-01-09T04:08:00Z', '2026-01-09T11:01:00Z'],
    // Its clock goes from 11:59 PM to 1 AM, so that 12:01 AM is missing.
    ['Africa/Cairo', 'where the clock skips midnight', '2026-04-23T20:00:00Z', '2026-04-23T22:01:00Z'],
    // Its clock shows the hour from midnight on twice.
    ['America/Havana', 'where midnight comes twice', '2026-11-01T03:59:00Z', '2026-11-01T04:01:00Z'],
    ['America/Havana', 'in its first hour', '2026-11-01T04:30:00Z', '2026-11-02T05:01:00Z'],
  ])('%s, %s', (timeZone, _title, ended, expected) => {
    expect(new Date(resumeTime(ACCOUNT, at(ended), timeZone)).toISOString()).toBe(
      new Date(at(expected)).toISOString(),
    );
  });

  test('without a known time zone it is New York’s', () => {
    const ended = at('2026-01-09T04:08:00Z');
    expect(resumeTime(ACCOUNT, ended, null)).toBe(resumeTime({ mode: 'next_day' }, ended, null));
  });

  test('it is after the end of the match, within 25 hours, at 12:01 AM where the clock shows it', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    for (const timeZone of zones.filter((_zone, index) => index % 7 === 0)) {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });
      for (let end = at('2026-01-01T00:10:00Z'); end < at('2027-01-01T00:00:00Z'); end += hours(31)) {
        const resumed = resumeTime(ACCOUNT, end, timeZone);
        expect(resumed).toBeGreaterThan(end);
        expect(resumed - end).toBeLessThanOrEqual(hours(25));
        if (clock.format(resumed) !== '00:01') expect(clock.format(resumed)).toMatch(/^0[01]:[03]1$/);
      }
    }
  });

  test('of several ad accounts the first one', () => {
    const ended = at('2026-01-09T04:08:00Z');
    expect(firstResumeTime(ACCOUNT, ended, ['Europe/Berlin', 'Asia/Tokyo'])).toBe(
      resumeTime(ACCOUNT, ended, 'Asia/Tokyo'),
    );
    expect(firstResumeTime(ACCOUNT, ended, [])).toBe(resumeTime(ACCOUNT, ended, null));
  });
});

describe('resumeAt', () => {
  const resume: ResumeSettings = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };
  const choice = { threshold: 'MEDIUM', resume, timeZone: null } as const;
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
});
