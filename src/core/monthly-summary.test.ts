import { describe, expect, test } from 'vitest';
import { outcomeOf, summaryDue } from './monthly-summary.ts';
import { beginOfMonth, monthOf } from './new-york.ts';
import { hours } from './time.ts';

describe('[SPEND-05] when a month’s summary is due', () => {
  test.each<[string, string | null]>([
    // 9 AM in New York, in winter and in summer.
    ['2026-12-05T13:59:59Z', null],
    ['2026-12-05T14:00:00Z', '2026-11'],
    ['2026-07-05T12:59:59Z', null],
    ['2026-07-05T13:00:00Z', '2026-06'],
    ['2026-12-13T04:59:59Z', '2026-11'],
    ['2026-12-13T05:00:00Z', null],
    ['2027-01-06T00:00:00Z', '2026-12'],
    ['2026-12-01T15:00:00Z', null],
    ['2026-12-31T15:00:00Z', null],
  ])('at %s: %s', (now, month) => {
    expect(summaryDue(Date.parse(now))?.month ?? null).toBe(month);
  });

  test('its time is that of New York’s months, which are an hour shorter or longer where the clock changes', () => {
    expect(summaryDue(Date.parse('2026-12-06T00:00:00Z'))).toEqual({
      month: '2026-11',
      from: Date.parse('2026-11-01T04:00:00Z'),
      until: Date.parse('2026-12-01T05:00:00Z'),
    });
    const lengths = [3, 4, 11].map((month) => beginOfMonth(2026, month + 1) - beginOfMonth(2026, month));
    expect(lengths).toEqual([31 * 24 - 1, 30 * 24, 30 * 24 + 1].map(hours));
  });

  test.each(Array.from({ length: 24 }, (_, n) => n))('month %i begins in itself, and not before', (n) => {
    const begin = beginOfMonth(2026, n);
    const name = `${2026 + Math.floor((n - 1) / 12)}-${String(((n + 11) % 12) + 1).padStart(2, '0')}`;
    expect([monthOf(begin), monthOf(begin - 1) < name]).toEqual([name, true]);
  });
});

test.each([
  [[], 'no outage met your threshold'],
  [[0], '1 outage, in which nothing was paused'],
  [[0, 0], '2 outages, in which nothing was paused'],
  [[3], 'SmartPause paused campaigns in 1 outage'],
  [[3, 0, 1], 'SmartPause paused campaigns in 2 of 3 outages'],
])('[SPEND-05, SPEND-07] a month whose outages paused %j campaigns: %s', (counts, words) => {
  const outages = counts.map((paused) => ({
    startedAt: 0,
    endedAt: 1,
    paused,
    keptRunning: 0,
    reason: null,
    kept: [],
  }));
  expect(outcomeOf(outages)).toBe(words);
});
