import { expect, test } from 'vitest';
import { days, hours, minutes } from '#core/time.ts';
import { timeTicks } from './time-chart.tsx';

const FROM = Date.parse('2026-01-09T02:10:00Z');

test.each([
  ['a quarter of an hour', minutes(14), ['9:10 PM EST', '9:15', '9:20']],
  ['two hours', hours(2), ['9:30 PM EST', '10:00', '10:30', '11:00']],
  ['a day', hours(24), ['12 AM EST', '6 AM', '12 PM', '6 PM']],
  ['ten days', days(10), ['Jan 10', 'Jan 13', 'Jan 16']],
])('[HIST-02] the axis of %s has whole times of New York', (_title, length, texts) => {
  expect(timeTicks(FROM, FROM + length).map(({ text }) => text)).toEqual(texts);
});

test('[HIST-02] the axis of some seconds has its beginning', () => {
  expect(timeTicks(FROM + 5000, FROM + 15_000)).toEqual([{ at: FROM + 5000, text: '9:10 PM EST' }]);
});
