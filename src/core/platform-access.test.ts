import { describe, expect, test } from 'vitest';
import { accessState, isShortLived, longerOf, ownCallDecides } from './platform-access.ts';
import { days, hours, minutes } from './time.ts';

const settled = { rejectedAt: null, savedAt: 0, isShortLived: false };
const pending = { ...settled, isShortLived: true };

test.each([
  ['no token', null, 0, 'expired'],
  ['refused', { ...settled, expiresAt: null, rejectedAt: 0 }, 0, 'expired'],
  ['no end', { ...settled, expiresAt: null }, days(900), 'ok'],
  ['eight days left', { ...settled, expiresAt: days(8) }, 0, 'ok'],
  ['seven days left', { ...settled, expiresAt: days(7) }, 0, 'stale'],
  ['over', { ...settled, expiresAt: days(7) }, days(7), 'expired'],
  [
    '[FR-09] in the first hour of a pending exchange',
    { ...pending, expiresAt: minutes(90) },
    hours(1) - 1,
    'ok',
  ],
  ['[FR-09] after the first hour', { ...pending, expiresAt: minutes(90) }, hours(1), 'stale'],
  [
    '[FR-09] at the end of a token that lives half an hour',
    { ...pending, expiresAt: minutes(30) },
    minutes(30),
    'expired',
  ],
  ['[FR-09] seven days before a later end', { ...pending, expiresAt: days(9) }, days(1), 'ok'],
])('the access is %s', (_title, token, now, state) => {
  expect(accessState(token, now)).toBe(state);
});

test.each([
  [null, false],
  [days(7), true],
  [days(7) + 1, false],
])('[FR-09] a token that ends at %j must be exchanged: %s', (expiresAt, isShort) => {
  expect(isShortLived(expiresAt, 0)).toBe(isShort);
});

describe('[FR-09] the longer token', () => {
  const first = { token: 'T1', expiresAt: hours(1) };
  test.each([
    ['a longer one', { token: 'T2', expiresAt: days(60) }, 'T2', days(60)],
    ['one that is not longer', { token: 'T2', expiresAt: hours(1) }, 'T1', hours(1)],
    ['a shorter one', { token: 'T2', expiresAt: minutes(5) }, 'T1', hours(1)],
    ['the same token without an expiry', { token: 'T1', expiresAt: null }, 'T1', hours(1)],
    ['another token without an expiry', { token: 'T2', expiresAt: null }, 'T2', null],
  ])('%s', (_title, other, token, expiresAt) => {
    expect(longerOf(first, other)).toEqual({ token, expiresAt });
  });
  test('counts when the first has no expiry', () => {
    const other = { token: 'T2', expiresAt: days(60) };
    expect(longerOf({ token: 'T1', expiresAt: null }, other)).toBe(other);
  });
});

test.each([
  [null, days(9), false],
  [days(9), days(9), false],
  [days(9), days(9) + minutes(15) - 1, false],
  [days(9), days(9) + minutes(15), true],
])(
  '[FR-33] inspections are refused since %j: a call of the user decides at %d: %s',
  (since, now, decides) => {
    expect(ownCallDecides(since, now)).toBe(decides);
  },
);
