import { describe, expect, test } from 'vitest';
import { isDue, isUnfinished, lastActivities, longUnknownSince } from './notifications.ts';
import type { Hold } from './reconciler/hold.ts';
import { isAdmin } from './roles.ts';
import { INITIAL_STATUS, nextStatus } from './smartpause/status.ts';
import { days, hours, minutes, seconds } from './time.ts';
import { counted, durationLabel, namesLabel, resumeCopy } from './labels.ts';

describe('[ENG-13] how long a notification waits', () => {
  const since = hours(10);
  const REFUSED = { isUnfinished: true, hasRefusal: true };
  test.each([
    ['for ten seconds', { isUnfinished: false, lastAt: null }, seconds(10)],
    ['for pauses in progress', { isUnfinished: true, lastAt: null }, minutes(2)],
    ['a follow-up longer', { isUnfinished: true, lastAt: hours(9) }, minutes(15)],
    ['but no follow-up after an hour', { isUnfinished: true, lastAt: hours(9) - 1 }, minutes(2)],
    ['not for pauses in progress after a refusal', { ...REFUSED, lastAt: null }, seconds(10)],
    ['a follow-up for further refusals', { ...REFUSED, lastAt: hours(9) }, minutes(2)],
    ['a follow-up for nothing', { isUnfinished: false, lastAt: hours(9) }, seconds(10)],
  ])('%s', (_title, given, ms) => {
    const owed = { since, hasRefusal: false, ...given };
    expect([ms - 1, ms].map((after) => isDue(owed, since + after))).toEqual([false, true]);
  });

  test.each([
    ['paused', 'pausing', null, true],
    ['paused', 'paused', null, false],
    ['paused', 'pausing', 1, false],
    ['resumed', 'resuming', null, true],
    ['resumed', 'paused', null, true],
    ['resumed', 'pausing', null, false],
    ['disabled', 'resuming', null, false],
    ['live_test', 'paused', 1, true],
    ['live_test', 'paused', null, false],
  ] as const)('%s: a hold that is %s, test until %j: in progress %j', (kind, state, testUntil, expected) => {
    expect(isUnfinished(kind, { state, threshold: 'LOW', testUntil }, () => true)).toBe(expected);
  });

  test('a paused hold is in progress from its resume time on', () => {
    const hold: Pick<Hold, 'state' | 'threshold' | 'testUntil'> = {
      ...{ state: 'paused', threshold: 'LOW', testUntil: null },
    };
    expect(isUnfinished('resumed', hold, ({ threshold }) => threshold === 'HIGH')).toBe(false);
  });
});

describe('[ENG-13] an email counts campaigns, not activities', () => {
  const act = (campaignId: string, at: number) => ({ campaignId, at });
  test.each([
    ['no act', [], []],
    ['one act each', [act('a', 1), act('b', 2)], [act('a', 1), act('b', 2)]],
    ['paused twice', [act('a', 1), act('b', 2), act('a', 3)], [act('b', 2), act('a', 3)]],
    ['twice at the same time', [act('a', 1), act('a', 1)], [act('a', 1)]],
  ])('%s', (_title, acts, expected) => {
    expect(lastActivities(acts)).toEqual(expected);
  });
});

describe('[ENG-10] an hour of UNKNOWN', () => {
  const high = nextStatus(INITIAL_STATUS, { trueLevel: 'HIGH_DISRUPTION' }, 0);
  const unknown = nextStatus(high, { trueLevel: 'UNKNOWN' }, minutes(10));
  const read = { ...unknown, since: minutes(10), checkedAt: minutes(70) };
  const stale = { ...high, since: 0, checkedAt: minutes(10) };
  const forced = { ...nextStatus(unknown, { directive: 'FORCE_HIGH' }, minutes(20)), since: minutes(20) };
  test.each([
    ['just before an hour', read, 0, minutes(70) - 1, null],
    ['after an hour', read, 0, minutes(70), minutes(10)],
    ['known', { ...high, since: 0, checkedAt: minutes(69) }, 0, minutes(70), null],
    ['known by an override', { ...forced, checkedAt: minutes(69) }, 0, minutes(90), null],
    ['not read for an hour', stale, 0, minutes(70), minutes(10)],
    ['not read, since this process was not running', stale, minutes(60), minutes(90), null],
    ['not read for an hour of this process', stale, minutes(60), minutes(120), minutes(10)],
    ['never read', { ...INITIAL_STATUS, since: null, checkedAt: null }, 0, minutes(90), null],
  ])('%s', (_title, status, startedAt, now, since) => {
    expect(longUnknownSince(status, { startedAt, staleMs: minutes(1) }, now)).toBe(since);
  });
});

test.each([
  [['administrators'], true],
  [['developers', 'friends'], true],
  [['friends'], false],
  [[], false],
])('[ADMIN-08] roles %j: admin is %s', (roles, expected) => {
  expect(isAdmin(roles)).toBe(expected);
});

test.each([
  [-1, '0 s'],
  [20, '0.1 s'],
  [430, '0.4 s'],
  [14_400, '14 s'],
  [59_600, '1 min'],
  [seconds(125), '2 min 5 s'],
  [hours(1) - 400, '1 h'],
  [minutes(117) + seconds(50), '1 h 58 min'],
  [hours(3), '3 h'],
  [days(1), '1 day'],
  [days(2) + hours(3) + minutes(9), '2 days 3 h'],
])('%i ms are %s', (ms, words) => {
  expect(durationLabel(ms)).toBe(words);
});

test.each([
  ['', ''],
  ['A', 'A'],
  ['AB', 'A and B'],
  ['ABCD', 'A, B, C and D'],
  ['ABCDE', 'A, B, C and 2 more'],
])('the campaigns %j are named %j', (names, words) => {
  expect(namesLabel(names.split('').map((name) => ({ name })))).toBe(words);
});

test('counts and resume settings as text', () => {
  expect([counted(0, 'campaign'), counted(1, 'campaign')]).toEqual(['0 campaigns', '1 campaign']);
  expect(resumeCopy({ mode: 'instant' })).toBe('immediately');
  expect(resumeCopy({ mode: 'delay', delay: { value: 1, unit: 'hours' } })).toBe('1 hour later');
  expect(resumeCopy({ mode: 'delay', delay: { value: 5, unit: 'minutes' } })).toBe('5 minutes later');
  expect(resumeCopy({ mode: 'next_day' })).toBe('at the next 12:01 AM EST');
});
