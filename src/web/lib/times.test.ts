import { expect, test } from 'vitest';
import { hours, minutes, seconds } from '#core/time.ts';
import { atTime, besideOwn, ownClock, ownTime, timeUntil } from './times.ts';

const now = Date.parse('2026-01-09T02:30:00Z');

test('[FMT-01] today shows the time, another day in New York also the date', () => {
  expect(atTime(now + minutes(17), now)).toBe('9:47 PM EST');
  expect(atTime(now + hours(3), now)).toBe('Jan 9, 2026, 12:30 AM EST');
});

test.each([
  ['Europe/Berlin', 'Your time: Jan 9, 2026, 3:30 AM GMT+1'],
  ['America/Los_Angeles', 'Your time: Jan 8, 2026, 6:30 PM PST'],
  ['America/New_York', null],
  ['America/Toronto', null],
])('[UX-11] the time for a viewer in %s', (zone, words) => {
  expect(ownTime(now, zone)).toBe(words);
});

test.each([
  ['2026-01-09T02:30Z', 'Europe/Berlin', 'Jan 9, 3:30 AM'],
  ['2026-01-09T02:30Z', 'America/Los_Angeles', '6:30 PM'],
  ['2026-01-09T02:30Z', 'America/Jamaica', null],
  ['2026-07-09T02:30Z', 'America/Jamaica', '9:30 PM'],
  ['2026-07-09T02:30Z', 'America/New_York', null],
])('[UX-25] the own time that stands beside %s in %s', (at, zone, words) => {
  expect(ownClock(Date.parse(at), zone)).toBe(words);
});

test('[UX-25] the own time follows in a sentence, also that of a span', () => {
  const zone = 'America/Los_Angeles';
  expect(besideOwn(now, null, zone)).toBe(' (6:30 PM your time)');
  expect(besideOwn(now, now + minutes(5), zone)).toBe(' (6:30 PM – 6:35 PM your time)');
  expect(besideOwn(now, null, 'America/Toronto')).toBe('');
});

test.each([
  [0, 'any moment now'],
  [seconds(59), 'in less than a minute'],
  [minutes(3) + 1, 'in 4 min'],
  [hours(2), 'in 2 h'],
  [hours(2) + minutes(5), 'in 2 h 5 min'],
  [hours(47), 'in 47 h'],
  [hours(72), 'in 3 days'],
])('%d ms from now is %s', (left, words) => {
  expect(timeUntil(now + left, now)).toBe(words);
});
