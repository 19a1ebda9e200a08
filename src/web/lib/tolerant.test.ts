import { describe, expect, test } from 'vitest';
import type { ApiName } from '#contract/api.ts';
import { api } from '#contract/api.ts';
import { parseTolerantly } from './tolerant.ts';

const parse = (name: ApiName, sent: unknown) =>
  parseTolerantly(api[name], sent === undefined ? '' : JSON.stringify(sent));

describe('[AUTH-07] a response with exactly the fields of the specification', () => {
  const nora = { name: 'Nora', isInitialized: true, roles: [] };
  const user = { ...nora, access: 'ok', leaving: null, capabilities: [] };
  const status = { resumeSettings: { mode: 'instant' }, outageThreshold: 'LOW', email: 'a@b.c' };
  const unset = {
    ...{ outageThreshold: 'MEDIUM', email: null, resumeAt: null },
    resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
  };
  const shop = { id: 'act_1', name: 'Shop' };
  const campaign = { id: '1', name: 'A', status: 'ACTIVE', objective: 'X', smartPauseSetting: 'ON' };
  const subscription = {
    status: 'active',
    planType: 'monthly',
    currentPeriodEnd: '2026-01-31T00:00:00-05:00',
  };
  const subscribed = { ...subscription, currentPeriodEnd: '2026-01-31T05:00:00.000Z' };
  const activity = {
    id: '5',
    type: 'other',
    message: 'M',
    user: 'Nora',
    timestamp: '2026-01-09T02:10:00.000Z',
  };

  test.each<[ApiName, unknown, unknown]>([
    ['me', { user: nora }, { user }],
    ['me', nora, { user }],
    ['status', { status: 'UP', message: '' }, { status: 'UP', message: '' }],
    ['userStatus', { status }, { status: { ...status, resumeAt: null } }],
    ['userStatus', { status: {} }, { status: unset }],
    [
      'userStatus',
      { status: { resumeSettings: null, outageThreshold: null, email: null } },
      { status: unset },
    ],
    ['adAccounts', { adAccounts: [shop] }, { adAccounts: [shop] }],
    [
      'campaigns',
      { campaigns: [{ ...campaign, id: 1, smartPauseSetting: 'On' }] },
      { campaigns: [campaign] },
    ],
    ['subscription', { hasActiveSubscription: false }, { hasActiveSubscription: false, subscription: null }],
    [
      'subscription',
      { hasActiveSubscription: true, subscription },
      { hasActiveSubscription: true, subscription: { ...subscribed, canceledAt: null, trialEnd: null } },
    ],
    ['adminActivity', { activities: [{ ...activity, id: 5, type: 'bill' }] }, { activities: [activity] }],
  ])('%s %j', (name, sent, read) => {
    expect(parse(name, sent)).toMatchObject({ success: true, data: read });
    expect(parse(name, sent).data).toEqual(read);
  });

  test.each([undefined, null, ''])('an ad account with the name %j shows its id', (name) => {
    const { data } = parse('adAccounts', { adAccounts: [{ id: 'act_1', name }] });
    expect(data).toEqual({ adAccounts: [{ id: 'act_1', name: 'act_1' }] });
  });

  test.each([null, 'Nora', [], {}])('a user that is %j is refused', (sent) => {
    expect(parse('me', sent).success).toBe(false);
  });

  test.each(['2026-01-08T21:10:00-05:00', '2026-01-09T02:10:00Z', 1_767_924_600_000, 1_767_924_600])(
    'reads the time %s as the same instant in UTC',
    (timestamp) => {
      const { data } = parse('adminActivity', { activities: [{ ...activity, timestamp }] });
      expect(data).toEqual({ activities: [activity] });
    },
  );

  test.each(['pauseCampaign', 'setSmartPause', 'saveSettings', 'initialize', 'deauthorize'] as const)(
    '%s: any response means success, unless it denies success',
    (name) => {
      const bodies = [
        { success: 'ok' },
        { success: null },
        { status: 200, token: 1, smartPauseSetting: '?' },
      ];
      for (const sent of [undefined, null, {}, [], 'done', ...bodies])
        expect(parse(name, sent), JSON.stringify(sent)).toMatchObject({ data: { success: true } });
      expect(parse(name, { success: false }).success).toBe(false);
      expect(parseTolerantly(api[name], '<p>').success).toBe(true);
    },
  );
});

test.each(['javascript:alert(1)', 5])('[PRICE-06] a checkout URL that is %j is refused', (checkoutUrl) => {
  expect(parse('createCheckoutSession', { checkoutUrl }).success).toBe(false);
});

describe('both spellings of the specification', () => {
  const settingOf = (smartPauseSetting: unknown) =>
    parse('campaigns', { campaigns: [{ id: '1', name: 'A', status: 'ACTIVE', smartPauseSetting }] });

  test.each(['ON', 'On', 'off', 'Deactivated'])('[DASH-11] SmartPause %s is read', (sent) => {
    const smartPauseSetting = sent.toUpperCase();
    expect(settingOf(sent).data).toMatchObject({ campaigns: [{ smartPauseSetting }] });
  });

  test.each(['', 'ONN', true, 1, null, undefined])('[DASH-11, UX-14] SmartPause %j is not known', (sent) => {
    const campaigns = [{ id: '1', name: 'A', status: 'ACTIVE', objective: '' }];
    expect(settingOf(sent).data).toEqual({ campaigns });
  });

  test.each(['next_day', 'next-day'])('[SET-04] the resume mode %s is read as next_day', (mode) => {
    const { data } = parse('userStatus', { status: { resumeSettings: { mode } } });
    expect(data).toMatchObject({ status: { resumeSettings: { mode: 'next_day' } } });
  });

  test.each([
    [{ value: 24, unit: 'hours' }, 24],
    [{ value: 25, unit: 'hours' }, 5],
    [{ value: 0, unit: 'hours' }, 5],
    [{ value: 1.5, unit: 'days' }, 5],
    [{ value: 1 }, 5],
    [{ value: 1, unit: null }, 5],
    [null, 5],
  ])('[SET-04] of the delay %j the value is read as %i', (delay, value) => {
    const { data } = parse('userStatus', { status: { resumeSettings: { mode: 'delay', delay } } });
    expect(data).toMatchObject({ status: { resumeSettings: { mode: 'delay', delay: { value } } } });
  });

  test.each([
    ['clear', null],
    [10, null],
    [null, null],
    ['force high', 'FORCE_HIGH'],
    ['force-high', 'FORCE_HIGH'],
    [14, 'FORCE_HIGH'],
  ])('adminDirective %j is read as %j', (adminDirective, read) => {
    const sent = { trueMetaStatus: 0, adminDirective, effectiveStatus: 'UP', isOverridden: false };
    expect(parse('adminStatus', sent).data).toMatchObject({ trueMetaStatus: 'UP', adminDirective: read });
  });

  test.each([
    ['past_due', 'past_due'],
    ['a status of the future', 'unknown'],
    ['toString', 'unknown'],
    [1, 'unknown'],
  ])('[SET-08] the subscription status %j is read as %s', (status, read) => {
    const subscription = { status, planType: 'monthly', currentPeriodEnd: '2026-01-19T02:30:00Z' };
    const { data } = parse('subscription', { hasActiveSubscription: false, subscription });
    expect(data).toMatchObject({ subscription: { status: read } });
  });
});

describe('[UX-14] a value of a newer server hides itself, and no list or status', () => {
  const at = '2026-01-09T02:10:00.000Z';
  const one = { id: '1', name: 'A', status: 'ACTIVE', objective: '', smartPauseSetting: 'ON' };
  const shop = { id: 'act_1', name: 'Shop' };
  const state = { trueMetaStatus: 'NEW', adminDirective: 'NEW', effectiveStatus: 9, isOverridden: true };
  const entry = { id: '1', at, user: null, message: 'M', reason: null, outageId: null };
  const history = { campaign: { id: '1', name: 'A', accountId: 'act_1' }, next: null };
  const change = { id: '1', startedAt: at, endedAt: null, total: 1, done: [], pending: 1, failed: [] };
  const liveTest = {
    ...{ id: '1', campaign: { id: '1', name: 'A' }, adAccount: shop, startedAt: at },
    ...{ until: null, pausedAt: null, resumedAt: null, reason: null },
  };

  test.each<[ApiName, unknown, unknown]>([
    ['status', { status: 'PARTIAL', message: 'M' }, { status: 'UNKNOWN', message: 'M' }],
    [
      'status',
      {
        status: 'UP',
        message: 'M',
        down: [
          { name: 'Login', level: 'UP' },
          { name: 'Ads', level: 'NEW' },
        ],
      },
      { status: 'UP', message: 'M' },
    ],
    [
      'campaigns',
      {
        lastKnown: { at, because: 'new' },
        campaigns: [
          one,
          {
            ...{ ...one, undelivered: { why: 'new', at }, pendingStatus: 'NEW' },
            refused: { action: 'new', words: null, retryAt: null },
          },
        ],
      },
      { lastKnown: { at, because: null }, campaigns: [one, one] },
    ],
    [
      'adAccounts',
      { adAccounts: [{ ...shop, notProtected: 'new', noDelivery: 'new' }] },
      { adAccounts: [shop] },
    ],
    [
      'userStatus',
      {
        status: {
          ...{ notYetPaused: { count: 1, because: 'new' } },
          heldAccounts: [{ ...shop, count: 2, delayedBy: 'new' }],
        },
      },
      { status: { notYetPaused: { count: 1, because: null }, heldAccounts: [{ ...shop, count: 2 }] } },
    ],
    [
      'userStatus',
      { status: { outageThreshold: 'NEW', resumeSettings: { mode: 'new' } } },
      { status: { outageThreshold: null, resumeSettings: null } },
    ],
    [
      'userStatus',
      { status: { resumeSettings: { mode: 'delay', delay: { value: 2, unit: 'new' } } } },
      { status: { outageThreshold: 'MEDIUM', resumeSettings: null } },
    ],
    [
      'subscription',
      {
        hasActiveSubscription: true,
        subscription: {
          ...{ status: 'active', planType: 'new', currentPeriodEnd: at, openInvoiceUrl: 'stripe:new' },
        },
      },
      { subscription: { planType: null, openInvoiceUrl: null } },
    ],
    ['campaignChange', { ...change, action: 'new' }, change],
    ['liveTest', { test: { ...liveTest, state: 'new' } }, { test: { ...liveTest, state: null } }],
    [
      'adminStatus',
      state,
      { trueMetaStatus: 'UNKNOWN', adminDirective: null, effectiveStatus: 'UNKNOWN', isOverridden: true },
    ],
    [
      'campaignHistory',
      { ...history, entries: [{ ...entry, kind: 'new', actor: 'new' }] },
      { ...history, entries: [{ ...entry, kind: 'other', actor: null }] },
    ],
  ])('%s', (name, sent, read) => {
    const parsed = parse(name, sent);
    expect(parsed.success).toBe(true);
    expect(JSON.parse(JSON.stringify(parsed.data))).toMatchObject(read as object);
    expect(JSON.stringify(parsed.data)).not.toMatch(/new/i);
  });
});
