import { describe, expect, test } from 'vitest';
import { adminStatus } from './admin-overview.ts';
import { userApi } from './user-api.ts';
import { instant, platformStatus, resumeSettings, smartPauseSetting, subscription } from './shapes.ts';

describe('accepts both spellings of the specification and sends one', () => {
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

  test.each(['', 'ONN', 'yes', true, 1, null, undefined, ['ON']])('[DASH-11] rejects %j', (sent) => {
    expect(smartPauseSetting.safeParse(sent).success).toBe(false);
  });

  test.each(['next_day', 'next-day'])('[SET-04] reads the resume mode %s as next_day', (mode) => {
    expect(resumeSettings.parse({ mode })).toEqual({ mode: 'next_day' });
  });

  test.each(['nextday', 'NEXT_DAY', 'next day', ''])('[SET-04] rejects the resume mode %j', (mode) => {
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

  test('[SET-08] rejects a status that is not a string', () => {
    expect(subscription.safeParse({ ...sent, status: 1 }).success).toBe(false);
    expect(subscription.safeParse(sent).success).toBe(false);
  });
});

test('[AUTH-07] a status with only `status` and `message` is a valid status', () => {
  const status = { status: 'HIGH_DISRUPTION', message: 'High disruptions' };
  expect(platformStatus.parse(status)).toEqual(status);
});

describe('[AUTH-07] accepts a response with exactly the fields of the specification', () => {
  const nora = { name: 'Nora', isInitialized: true, roles: [] };

  test.each([
    ['me', { user: nora }],
    ['me', nora],
    ['status', { status: 'UP', message: '' }],
    [
      'userStatus',
      { status: { resumeSettings: { mode: 'instant' }, outageThreshold: 'LOW', email: 'a@b.c' } },
    ],
    ['userStatus', { status: {} }],
    ['userStatus', { status: { resumeSettings: null, outageThreshold: null, email: null } }],
    ['userStatus', { status: { resumeSettings: { mode: 'delay', delay: { value: 0, unit: 'hours' } } } }],
    ['userStatus', { status: { resumeSettings: { mode: 'delay', delay: null } } }],
    ['adAccounts', { adAccounts: [{ id: 'act_1', name: 'Shop' }] }],
    [
      'campaigns',
      { campaigns: [{ id: '1', name: 'A', status: 'ACTIVE', objective: 'X', smartPauseSetting: 'On' }] },
    ],
    ['subscription', { hasActiveSubscription: false, subscription: null }],
    ['subscription', { hasActiveSubscription: false }],
    [
      'subscription',
      {
        hasActiveSubscription: true,
        subscription: {
          status: 'active',
          planType: 'monthly',
          currentPeriodEnd: '2026-01-31T00:00:00-05:00',
        },
      },
    ],
  ] as const)('%s %j', (name, response) => {
    expect(userApi[name].reply.safeParse(response)).toMatchObject({ success: true });
  });

  test('accepts a user with only the specified fields', () => {
    const unsaid = { access: 'ok', leaving: null, capabilities: [] };
    expect(userApi.me.reply.parse(nora)).toEqual({ user: { ...nora, ...unsaid } });
  });

  test.each([
    [undefined, 'act_1'],
    [null, 'act_1'],
    ['', 'act_1'],
    ['Shop', 'Shop'],
  ])('an ad account with the name %j shows %s', (sent, name) => {
    const reply = userApi.adAccounts.reply.parse({ adAccounts: [{ id: 'act_1', name: sent }] });
    expect(reply).toEqual({ adAccounts: [{ id: 'act_1', name }] });
  });

  test.each([null, 'Nora', []])('[AUTH-07] a user that is %j is refused', (sent) => {
    expect(userApi.me.reply.safeParse(sent).success).toBe(false);
  });

  test.each(['pauseCampaign', 'setSmartPause', 'saveSettings', 'initialize', 'deauthorize'] as const)(
    '%s: any response means success, unless it denies success',
    (name) => {
      for (const response of [
        undefined,
        null,
        {},
        [],
        'done',
        { success: 'ok' },
        { success: 1 },
        { success: null },
        { status: 200, token: 1, smartPauseSetting: '?' },
      ])
        expect(userApi[name].reply.safeParse(response).success, JSON.stringify(response)).toBe(true);
      expect(userApi[name].reply.safeParse({ success: false }).success).toBe(false);
    },
  );

  test.each(['2026-01-08T21:10:00-05:00', '2026-01-09T02:10:00Z', 1_767_924_600_000, 1_767_924_600])(
    'reads the time %s as the same instant in UTC',
    (sent) => expect(instant.parse(sent)).toBe('2026-01-09T02:10:00.000Z'),
  );

  test.each([
    ['clear', null],
    [10, null],
    ['force high', 'FORCE_HIGH'],
    ['force-high', 'FORCE_HIGH'],
    [14, 'FORCE_HIGH'],
  ])('reads adminDirective %j as %j', (adminDirective, read) => {
    const sent = { trueMetaStatus: 0, adminDirective, effectiveStatus: 'UP', isOverridden: false };
    expect(adminStatus.parse(sent)).toMatchObject({ trueMetaStatus: 'UP', adminDirective: read });
  });
});
