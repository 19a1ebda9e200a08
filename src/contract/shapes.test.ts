import { describe, expect, test } from 'vitest';
import { platformStatus, resumeSettings, smartPauseSetting, subscription } from './shapes.ts';

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

describe('the status of a subscription', () => {
  const sent = {
    ...{ planType: 'monthly', currentPeriodEnd: '2026-01-19T02:30:00Z', renews: true },
    ...{ canceledAt: null, trialEnd: null },
  };

  test.each([
    ['active', 'active'],
    ['past_due', 'past_due'],
    ['paused', 'unknown'],
    ['a status of the future', 'unknown'],
    ['', 'unknown'],
    ['toString', 'unknown'],
  ])('[SET-08] %j is read as %s', (status, read) => {
    expect(subscription.parse({ ...sent, status }).status).toBe(read);
  });

  test('[SET-08] a status that is no text is refused', () => {
    expect(subscription.safeParse({ ...sent, status: 1 }).success).toBe(false);
    expect(subscription.safeParse(sent).success).toBe(false);
  });
});

test('[AUTH-07] a status with only `status` and `message` is a valid status', () => {
  const status = { status: 'HIGH_DISRUPTION', message: 'High disruptions' };
  expect(platformStatus.parse(status)).toEqual(status);
});
