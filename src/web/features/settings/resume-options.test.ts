import { expect, test } from 'vitest';
import type { ResumeSettings } from '#core/settings.ts';
import { wouldResume } from './resume-options.tsx';

const EVENING = Date.parse('2026-01-09T02:42:10Z');
const ACCOUNT_DAY = { mode: 'next_day', zone: 'account' } as const;
const BEFORE_SPRING = Date.parse('2026-03-08T04:30:00Z');

test.each<[ResumeSettings, number, string, string[]?]>([
  [{ mode: 'instant' }, EVENING, 'immediately'],
  [{ mode: 'delay', delay: { value: 2, unit: 'hours' } }, EVENING, 'at 11:42 PM EST, in 2 h'],
  [{ mode: 'delay', delay: { value: 3, unit: 'hours' } }, EVENING, 'on Jan 9, 2026, 12:42 AM EST, in 3 h'],
  [{ mode: 'next_day' }, EVENING, 'on Jan 9, 2026, 12:01 AM EST, in 2 h 18 min'],
  // 11:30 PM EST before the clocks go forward: midnight comes first.
  [{ mode: 'next_day' }, BEFORE_SPRING, 'on Mar 8, 2026, 12:01 AM EST, in 31 min'],
  [ACCOUNT_DAY, EVENING, 'on Jan 9, 2026, 12:01 AM EST, in 2 h 18 min'],
  [ACCOUNT_DAY, EVENING, 'on Jan 9, 2026, 6:01 PM EST, in 20 h 18 min', ['Europe/Berlin']],
  [
    ACCOUNT_DAY,
    EVENING,
    'at 12:01 AM in each ad account’s time zone: the first on Jan 9, 2026, 3:01 AM EST, in 5 h 18 min',
    ['Europe/Berlin', 'America/Los_Angeles'],
  ],
])('[FMT-01] with %j campaigns would resume', (settings, now, words, timeZones = []) => {
  expect(wouldResume(settings, now, timeZones)).toBe(words);
});
