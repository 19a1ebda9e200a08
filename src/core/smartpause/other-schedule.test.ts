import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../reconciler/change-log.ts';
import type { Instant } from '../time.ts';
import { days, hours, minutes } from '../time.ts';
import type { OtherSchedule } from './other-schedule.ts';
import {
  isOffAt,
  nextOnTime,
  recogniseSchedule,
  resumeWithin,
  scheduleLabel,
  turnsOnAt,
} from './other-schedule.ts';

const NEW_YORK = 'America/New_York';
const NOW = Date.parse('2026-02-12T17:00:00Z');

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local clock, without our own code. */
function localTime(timeZone: string, at: Instant): [weekday: string, clock: string] {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', ...clock });
  formats.set(timeZone, format);
  const [weekday = '', time = ''] = format.format(at).split(' ');
  return [weekday, time];
}

interface Tool {
  zone?: string;
  now?: Instant;
  /** So long it has worked. */
  since?: number;
  /** How late it is. */
  late?: (at: Instant) => number;
  /** Whether it misses a change. */
  misses?: (at: Instant) => boolean;
}

/** What a tool leaves in the log. @param plan such as 'Fri 18:00 off, Mon 08:00 on', without a weekday: daily */
function changesOf(plan: string, tool: Tool = {}): StatusChange[] {
  const { zone = NEW_YORK, now = NOW, since = days(40), late = () => 0, misses = () => false } = tool;
  const entries = plan.split(', ').map((entry) => /^(?:(.+) )?(\d\d:\d\d) (on|off)$/.exec(entry) ?? []);
  const changes: StatusChange[] = [];
  const step = minutes(15);
  for (let at = Math.ceil((now - since) / step) * step; at <= now; at += step) {
    const [weekday, clock] = localTime(zone, at);
    const entry = entries.find(([, on, time]) => time === clock && (on ?? weekday).includes(weekday));
    const to = entry?.[3] === 'off' ? 'PAUSED' : 'ACTIVE';
    if (entry === undefined || misses(at) || (changes.at(-1)?.to ?? 'ACTIVE') === to) continue;
    changes.push({ at: at + late(at), isOurs: false, to });
  }
  return changes.filter(({ at }) => at <= now).toReversed();
}

function recognised(changes: readonly StatusChange[], given: { zone?: string; now?: Instant } = {}) {
  const { zone: timeZone = NEW_YORK, now = NOW } = given;
  const schedule = recogniseSchedule(changes, timeZone, now);
  return schedule === null ? null : scheduleLabel(schedule);
}

const NIGHTS = '23:00 off, 06:00 on';
const NIGHTLY = 'Off 11 PM to 6 AM by another tool';

test.each<[string, string]>([
  [NIGHTS, NIGHTLY],
  ['00:00 off, 05:30 on', 'Off 12 AM to 5:30 AM by another tool'],
  ['12:00 off, 13:15 on, 22:45 off, 07:00 on', 'Off 12 PM to 1:15 PM, 10:45 PM to 7 AM by another tool'],
  ['Fri 18:00 off, Mon 08:00 on', 'Off Fri 6 PM to Mon 8 AM by another tool'],
  [
    'MonTueWedThuFri 20:00 off, MonTueWedThuFri 06:00 on',
    'Off Mon–Thu 8 PM to 6 AM, Fri 8 PM to Mon 6 AM by another tool',
  ],
  ['MonTueWedThuFri 23:00 off, TueWedThuFriSat 06:00 on', 'Off Mon–Fri 11 PM to 6 AM by another tool'],
  [
    '23:00 off, MonTueWedThuFri 06:00 on, SatSun 09:00 on',
    'Off Sun–Thu 11 PM to 6 AM, Fri, Sat 11 PM to 9 AM by another tool',
  ],
  ['SatSun 10:00 off, SatSun 14:00 on', 'Off Sat, Sun 10 AM to 2 PM by another tool'],
  ['Sat 00:00 off, Mon 00:00 on', 'Off Sat 12 AM to Mon 12 AM by another tool'],
  ['TueSat 00:00 off, WedSun 12:00 on', 'Off Tue, Sat 12 AM to Wed, Sun 12 PM by another tool'],
  ['MonWedFri 08:00 off, MonWedFri 20:00 on', 'Off Mon, Wed, Fri 8 AM to 8 PM by another tool'],
])('[FR-34, ENG-25] %s: %s', (plan, label) => {
  const late = (at: Instant) => minutes((at / minutes(15)) % 7);
  expect(recognised(changesOf(plan))).toBe(label);
  expect(recognised(changesOf(plan, { late })), 'a few minutes late').toBe(label);
});

test.each([
  ['Europe/Berlin', '2026-11-12T12:00:00Z'],
  ['America/New_York', '2026-11-12T12:00:00Z'],
  ['America/New_York', '2026-03-24T12:00:00Z'],
  ['Asia/Kolkata', '2026-11-12T12:00:00Z'],
  ['Asia/Kathmandu', '2026-11-12T12:00:00Z'],
  ['Pacific/Apia', '2026-11-12T12:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-16T12:00:00Z'],
])('[FR-34] the hours are those of the ad account’s clock, also when it changes: %s on %s', (zone, time) => {
  const now = Date.parse(time);
  const changes = changesOf(NIGHTS, { zone, now });
  expect(recognised(changes, { zone, now })).toBe(NIGHTLY);
});

describe('[FR-34] what is a schedule', () => {
  const dayOf = (at: Instant): number => Math.floor((NOW - at) / days(1));
  const ours = (changes: StatusChange[]) => changes.map((one) => ({ ...one, isOurs: true }));

  test.each<[string, StatusChange[], string | null]>([
    ['nothing', [], null],
    ['seven nights', changesOf(NIGHTS, { since: days(7.4) }), null],
    ['eight nights', changesOf(NIGHTS, { since: days(8.4) }), NIGHTLY],
    ['it misses each third night', changesOf(NIGHTS, { misses: (at) => dayOf(at) % 3 === 0 }), NIGHTLY],
    ['it misses two of three', changesOf(NIGHTS, { misses: (at) => dayOf(at) % 3 > 0 }), null],
    ['it stopped five days ago', changesOf(NIGHTS, { misses: (at) => dayOf(at) < 5 }), NIGHTLY],
    ['it stopped two weeks ago', changesOf(NIGHTS, { misses: (at) => dayOf(at) < 15 }), null],
    ['our own changes', ours(changesOf(NIGHTS)), null],
    ['it only pauses', changesOf(NIGHTS).filter(({ to }) => to === 'PAUSED'), null],
    [
      'each morning at another time',
      changesOf(NIGHTS, { late: (at) => hours((at / hours(1)) % 24 < 12 ? (at / days(1)) % 3 : 0) }),
      null,
    ],
    ['a word of the log that we do not know', changesOf(NIGHTS).map((one) => ({ ...one, to: null })), null],
    ['two weekends', changesOf('Fri 18:00 off, Mon 08:00 on', { since: days(14) }), null],
    ['half an hour each day', changesOf('12:00 off, 12:30 on'), null],
    ['new hours for three days', newHours(3), NIGHTLY],
    ['new hours for nine days', newHours(9), 'Off 9 PM to 6 AM by another tool'],
    ['new hours for three weeks', newHours(21), 'Off 9 PM to 6 AM by another tool'],
  ])('%s', (_what, changes, label) => {
    expect(recognised(changes)).toBe(label);
    expect(recognised(changes.toReversed()), 'in another order').toBe(label);
  });

  function newHours(count: number): StatusChange[] {
    const now = NOW - days(count);
    return [...changesOf('21:00 off, 06:00 on', { since: days(count) }), ...changesOf(NIGHTS, { now })];
  }

  const paused = (at: Instant, isOurs: boolean) => ({ at, isOurs, to: 'PAUSED' }) as const;
  const resumed = (at: Instant, isOurs: boolean) => ({ at, isOurs, to: 'ACTIVE' }) as const;

  test('days on which we held the campaign count neither for nor against it', () => {
    const noons = [3, 5, 6, 9].map((ago) => NOW - days(ago));
    // Our pause at night leaves nothing to do for the tool.
    const misses = (at: Instant) => noons.some((noon) => Math.abs(at - noon) < hours(22));
    const changes = changesOf(NIGHTS, { since: days(18), misses });
    expect(recognised(changes)).toBeNull();
    const held = noons.flatMap((noon) => [paused(noon, true), resumed(noon + hours(2), true)]);
    expect(recognised([...changes, ...held])).toBe(NIGHTLY);
    expect(recognised([...changesOf(NIGHTS), paused(NOW - days(36), true)]), 'held at the beginning').toBe(
      NIGHTLY,
    );
  });

  test('a hold of many days hides them all', () => {
    const changes = changesOf(NIGHTS).filter(({ at }) => at < NOW - days(20));
    expect(recognised([...changes, paused(NOW - days(20), true)])).toBe(NIGHTLY);
    expect(recognised([...changes, paused(NOW - days(20), false)])).toBeNull();
  });

  test('changes at random hours are none, and neither are those of a rule that acts all day', () => {
    const at = fc.integer({ min: NOW - days(35), max: NOW });
    const random = fc.uniqueArray(at, { maxLength: 700 });
    fc.assert(
      fc.property(random, (times) => {
        const sorted = times.toSorted((a, b) => b - a);
        const to = (index: number) => (index % 2 === 0 ? 'PAUSED' : 'ACTIVE');
        const changes = sorted.map((one, index) => ({ at: one, isOurs: false, to: to(index) }) as const);
        expect(recognised(changes)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});

const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'UTC',
];

test('[FR-34] hours of any length, a few minutes early or late, are found to a quarter of an hour', () => {
  const plan = fc.record({
    zone: fc.constantFrom(...ZONES),
    day: fc.integer({ min: 0, max: 360 }),
    from: fc.integer({ min: 0, max: 95 }),
    length: fc.integer({ min: 3, max: 90 }),
    seed: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(plan, ({ zone, day, from, length, seed }) => {
      const now = NOW + days(day);
      const clock = (quarter: number) => new Date(minutes(15) * (quarter % 96)).toISOString().slice(11, 16);
      const late = (at: Instant) => minutes(((at / minutes(15)) * seed) % 15) - minutes(7);
      const changes = changesOf(`${clock(from)} off, ${clock(from + length)} on`, { zone, now, late });
      const [found, ...more] = recogniseSchedule(changes, zone, now)?.off ?? [];
      expect(more).toEqual([]);
      expect(found?.weekdays).toHaveLength(7);
      const early = ((found?.from ?? 0) - from * 15 + 2160) % 1440;
      expect(Math.abs(early - 720)).toBeLessThanOrEqual(15);
      expect(Math.abs((found?.minutes ?? 0) - length * 15)).toBeLessThanOrEqual(15);
    }),
    { numRuns: 40 },
  );
});

const nightly: OtherSchedule = {
  timeZone: NEW_YORK,
  off: [{ weekdays: [1, 2, 3, 4, 5, 6, 0], from: 23 * 60, minutes: 7 * 60 }],
};
const weekends = { ...nightly, off: [{ weekdays: [5], from: 18 * 60, minutes: 62 * 60 }] };
const working = {
  ...nightly,
  off: [...weekends.off, { weekdays: [1, 2, 3, 4], from: 18 * 60, minutes: 14 * 60 }],
};
/** The second follows the first at once. */
const joined = {
  ...nightly,
  off: [...nightly.off, { weekdays: [1, 2, 3, 4, 5, 6, 0], from: 6 * 60, minutes: 120 }],
};

test.each<[string, OtherSchedule, string, string | null]>([
  ['before', nightly, '2026-02-11T22:59:59-05:00', null],
  ['at its beginning', nightly, '2026-02-11T23:00:00-05:00', '2026-02-12T06:00:00-05:00'],
  ['after midnight', nightly, '2026-02-12T05:59:59-05:00', '2026-02-12T06:00:00-05:00'],
  ['at its end', nightly, '2026-02-12T06:00:00-05:00', null],
  ['clocks go back', nightly, '2026-10-31T23:30:00-04:00', '2026-11-01T06:00:00-05:00'],
  ['clocks go forward', nightly, '2026-03-07T23:30:00-05:00', '2026-03-08T06:00:00-04:00'],
  ['a weekend', weekends, '2026-02-14T12:00:00-05:00', '2026-02-16T08:00:00-05:00'],
  ['a weekend in which clocks change', weekends, '2026-03-06T18:00:00-05:00', '2026-03-09T08:00:00-04:00'],
  ['Thursday night', weekends, '2026-02-12T23:00:00-05:00', null],
  ['Thursday night', working, '2026-02-12T23:00:00-05:00', '2026-02-13T08:00:00-05:00'],
  ['Sunday night', working, '2026-02-15T23:00:00-05:00', '2026-02-16T08:00:00-05:00'],
  ['one after the other', joined, '2026-02-11T23:00:00-05:00', '2026-02-12T08:00:00-05:00'],
])('[FR-34, ENG-25] off until the on-time: %s', (_what, schedule, at, onAt) => {
  const expected = onAt === null ? null : Date.parse(onAt);
  expect(nextOnTime(schedule, Date.parse(at))).toBe(expected);
  expect(isOffAt(schedule, Date.parse(at))).toBe(onAt !== null);
});

test.each([
  ['2026-02-11T22:59:59-05:00', '2026-02-11T22:59:59-05:00'],
  ['2026-02-11T23:40:00-05:00', '2026-02-12T06:15:00-05:00'],
  ['2026-02-12T06:00:00-05:00', '2026-02-12T06:15:00-05:00'],
  ['2026-02-12T06:14:59-05:00', '2026-02-12T06:15:00-05:00'],
  ['2026-02-12T06:15:00-05:00', '2026-02-12T06:15:00-05:00'],
])('[FR-34, ENG-25] a resume that is due at %s waits 15 minutes longer for the tool: %s', (due, resume) => {
  expect(resumeWithin(nightly, Date.parse(due))).toBe(Date.parse(resume));
});

test.each([
  ['2026-02-12T05:43:59-05:00', false],
  ['2026-02-12T05:44:01-05:00', true],
  ['2026-02-12T06:15:59-05:00', true],
  ['2026-02-12T06:16:01-05:00', false],
  ['2026-02-12T23:00:00-05:00', false],
])('[ENG-25] an activation at %s is the tool’s: %s', (at, isOfTool) => {
  expect(turnsOnAt(nightly, Date.parse(at))).toBe(isOfTool);
});

test('[FR-34] at each minute of a year the on-time is ahead, and the local clock shows it', () => {
  const schedule = fc.record({
    zone: fc.constantFrom(...ZONES),
    at: fc.integer({ min: NOW, max: NOW + days(365) }),
    from: fc.integer({ min: 0, max: 1439 }),
    length: fc.integer({ min: 31, max: 1400 }),
  });
  fc.assert(
    fc.property(schedule, ({ zone: timeZone, at, from, length }) => {
      const off = [{ weekdays: [1, 2, 3, 4, 5, 6, 0], from, minutes: length }];
      const onAt = nextOnTime({ timeZone, off }, at);
      const [, clock] = localTime(timeZone, at);
      const local = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
      expect(onAt !== null).toBe((local - from + 1440) % 1440 < length);
      if (onAt === null) return;
      expect(onAt).toBeGreaterThan(at);
      expect(onAt - at).toBeLessThanOrEqual(minutes(length + 60));
      const shown = localTime(timeZone, onAt)[1];
      const wanted = new Date(minutes((from + length) % 1440)).toISOString().slice(11, 16);
      // In the hour that a clock skips there is no such time.
      if (!/^0[123]/.test(wanted)) expect(shown).toBe(wanted);
    }),
    { numRuns: 2000 },
  );
});
