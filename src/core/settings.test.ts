import { expect, test } from 'vitest';
import type { ResumeSettings } from './settings.ts';
import { isSameResume } from './settings.ts';

const INSTANT = { mode: 'instant' } as const;
const NEXT_DAY = { mode: 'next_day' } as const;
const FIVE_MINUTES = { mode: 'delay', delay: { value: 5, unit: 'minutes' } } as const;
const FIVE_HOURS = { mode: 'delay', delay: { value: 5, unit: 'hours' } } as const;
const SIX_MINUTES = { mode: 'delay', delay: { value: 6, unit: 'minutes' } } as const;

test.each<[ResumeSettings, ResumeSettings, boolean]>([
  [INSTANT, INSTANT, true],
  [INSTANT, NEXT_DAY, false],
  [NEXT_DAY, { ...NEXT_DAY, zone: 'account' }, false],
  [{ ...NEXT_DAY, zone: 'account' }, { ...NEXT_DAY, zone: 'account' }, true],
  [INSTANT, FIVE_MINUTES, false],
  [FIVE_MINUTES, { ...FIVE_MINUTES }, true],
  [FIVE_MINUTES, SIX_MINUTES, false],
  [FIVE_MINUTES, FIVE_HOURS, false],
])('[UX-10] whether %j and %j are the same resume settings', (one, other, isSame) => {
  expect(isSameResume(one, other)).toBe(isSame);
  expect(isSameResume(other, one)).toBe(isSame);
});
