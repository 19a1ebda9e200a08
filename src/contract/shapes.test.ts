import { describe, expect, test } from 'vitest';
import { resumeSettings, smartPauseSetting } from './shapes.ts';

describe('where the specification spells a value in two ways, both are read and one is sent', () => {
  test.each([
    ['ON', 'ON'],
    ['On', 'ON'],
    ['on', 'ON'],
    ['OFF', 'OFF'],
    ['Off', 'OFF'],
    ['DEACTIVATED', 'DEACTIVATED'],
    ['Deactivated', 'DEACTIVATED'],
  ])('[DASH-11] SmartPause %s is %s', (sent, read) => {
    expect(smartPauseSetting.parse(sent)).toBe(read);
  });

  test.each(['', 'ONN', 'yes', true, 1, null, undefined, ['ON']])('[DASH-11] %j is none of them', (sent) => {
    expect(smartPauseSetting.safeParse(sent).success).toBe(false);
  });

  test.each(['next_day', 'next-day'])('[SET-04] the resume mode %s is next_day', (mode) => {
    expect(resumeSettings.parse({ mode })).toEqual({ mode: 'next_day' });
  });

  test.each(['nextday', 'NEXT_DAY', 'next day', ''])('[SET-04] the resume mode %j does not exist', (mode) => {
    expect(resumeSettings.safeParse({ mode }).success).toBe(false);
  });
});
