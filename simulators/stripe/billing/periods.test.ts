import { describe, expect, test } from 'vitest';
import type { Recurring } from '../objects.ts';
import { intervalsAfter, periodEnd } from './periods.ts';

const every = (interval: Recurring['interval'], count = 1): Recurring => ({
  interval,
  interval_count: count,
  meter: null,
  trial_period_days: null,
  usage_type: 'licensed',
});
const seconds = (text: string): number => Date.parse(text) / 1000;
const text = (at: number): string => new Date(at * 1000).toISOString().replace('.000Z', 'Z');

const TABLE: [anchor: string, recurring: Recurring, ends: string[]][] = [
  [
    '2026-01-31T10:00:00Z',
    every('month'),
    ['2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z', '2026-04-30T10:00:00Z'],
  ],
  ['2028-01-31T10:00:00Z', every('month'), ['2028-02-29T10:00:00Z', '2028-03-31T10:00:00Z']],
  ['2026-12-15T23:59:59Z', every('month'), ['2027-01-15T23:59:59Z']],
  [
    '2028-02-29T00:00:00Z',
    every('year'),
    ['2029-02-28T00:00:00Z', '2030-02-28T00:00:00Z', '2031-02-28T00:00:00Z', '2032-02-29T00:00:00Z'],
  ],
  ['2026-11-21T12:00:00Z', every('year'), ['2027-11-21T12:00:00Z']],
  ['2026-11-30T12:00:00Z', every('month', 3), ['2027-02-28T12:00:00Z', '2027-05-30T12:00:00Z']],
  ['2026-03-08T05:00:00Z', every('week'), ['2026-03-15T05:00:00Z']],
  ['2026-03-08T05:00:00Z', every('day', 10), ['2026-03-18T05:00:00Z', '2026-03-28T05:00:00Z']],
];

describe('a period', () => {
  test.each(TABLE)('from %s', (anchor, recurring, ends) => {
    const start = seconds(anchor);
    expect(ends.map((_, index) => text(intervalsAfter(start, recurring, index + 1)))).toEqual(ends);
    let at = start;
    for (const end of ends) {
      at = periodEnd(start, recurring, at);
      expect(text(at)).toBe(end);
    }
  });
});
