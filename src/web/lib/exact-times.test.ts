import { describe, expect, test } from 'vitest';
import { clockSpan, dayAndTime, exactTime, recentDay, spanOf } from './exact-times.ts';

const at = (text: string) => Date.parse(text);
const START = at('2026-11-25T02:10:08Z');

test('[HIST-01] a time names its weekday in New York', () => {
  expect(dayAndTime(START)).toBe('Tue, Nov 24, 2026, 9:10 PM EST');
});

test.each([
  ['on one day', '2026-11-25T04:08:00Z', 'Tue, Nov 24, 2026, 9:10 PM – 11:08 PM EST'],
  [
    'over midnight',
    '2026-11-25T06:02:00Z',
    'Tue, Nov 24, 2026, 9:10 PM EST – Wed, Nov 25, 2026, 1:02 AM EST',
  ],
  ['within a minute', '2026-11-25T02:10:40Z', 'Tue, Nov 24, 2026, 9:10 PM EST'],
  ['not over', null, 'Tue, Nov 24, 2026, 9:10 PM EST – now'],
])('a span %s', (_name, to, expected) => {
  expect(spanOf(START, to === null ? null : at(to))).toBe(expected);
});

test('a span without its day', () => {
  expect(clockSpan(START, at('2026-11-25T04:08:00Z'))).toBe('9:10 PM – 11:08 PM EST');
});

test.each([
  ['2026-11-25T02:10:12Z', '9:10:12\u00a0PM'],
  ['2026-11-25T05:01:00Z', 'Nov 25, 12:01:00\u00a0AM'],
])('[HIST-02] the exact time of %s does not wrap', (instant, expected) => {
  expect(exactTime(at(instant), START)).toBe(expected);
});

describe('a recent day', () => {
  test.each([
    ['2026-11-25T02:10:00Z', 'Today'],
    ['2026-11-24T04:59:00Z', 'Yesterday'],
    ['2026-11-20T12:00:00Z', 'Friday'],
    ['2026-11-17T12:00:00Z', 'Nov 17'],
  ])('%s', (instant, expected) => {
    expect(recentDay(at(instant), at('2026-11-25T04:00:00Z'))).toBe(expected);
  });
});
