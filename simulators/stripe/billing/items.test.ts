import { expect, test } from 'vitest';
import { periodEnd } from './items.ts';

const TABLE: [anchor: string, interval: 'month' | 'year', ends: string[]][] = [
  ['2026-01-31T10:00:00.000Z', 'month', ['2026-02-28', '2026-03-31', '2026-04-30']],
  ['2028-01-31T10:00:00.000Z', 'month', ['2028-02-29', '2028-03-31']],
  ['2026-12-15T23:59:59.000Z', 'month', ['2027-01-15']],
  ['2028-02-29T00:00:00.000Z', 'year', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2026-11-21T12:00:00.000Z', 'year', ['2027-11-21']],
];

test.each(TABLE)('the periods from %s, by the %s', (anchor, interval, days) => {
  const start = Date.parse(anchor) / 1000;
  let at = start;
  for (const day of days) {
    at = periodEnd(start, interval, at);
    expect(new Date(at * 1000).toISOString()).toBe(`${day}${anchor.slice(10)}`);
  }
});
