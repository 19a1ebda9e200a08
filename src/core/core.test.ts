import { describe, expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import { byListOrder, objectiveLabel, undelivered } from './campaign.ts';
import { clockTime, fullTime, relativeTime } from './new-york.ts';
import type { Usage } from './platform-usage.ts';
import { allowanceReturnsAt, blockMs, writesAllowed } from './platform-usage.ts';
import { clampDelay } from './settings.ts';
import {
  blocksDeletion,
  checkoutState,
  effectiveSubscription,
  hasActiveSubscription,
  needsPayment,
  wouldRenew,
} from './billing/subscription.ts';
import type { Subscription } from './billing/subscription.ts';
import { hours, minutes } from './time.ts';

describe('times as shown to users', () => {
  test('[FMT-01] shows New York time, labelled EST, on a 12-hour clock', () => {
    expect(clockTime(Date.parse('2026-01-09T02:47:00Z'))).toBe('9:47 PM EST');
    expect(clockTime(Date.parse('2026-07-09T04:05:00Z'))).toBe('12:05 AM EST');
    expect(fullTime(Date.parse('2026-01-09T02:47:00Z'))).toBe('Jan 8, 2026, 9:47 PM EST');
  });

  test.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [59 * 60_000, '59 minutes ago'],
    [3_600_000, '1 hour ago'],
    [23 * 3_600_000, '23 hours ago'],
    [24 * 3_600_000, '1 day ago'],
    [49 * 3_600_000, '2 days ago'],
  ])('[FMT-02] %i ms ago is %s', (past, words) => {
    expect(relativeTime(1_000_000_000_000 - past, 1_000_000_000_000)).toBe(words);
  });
});

describe('settings', () => {
  test.each([
    [61, 'minutes', 60, 'minutes'],
    [25, 'hours', 24, 'hours'],
    [60, 'days', 3, 'days'],
    [0, 'days', 5, 'minutes'],
    [-1, 'hours', 5, 'minutes'],
    [Number.NaN, 'hours', 5, 'minutes'],
    [7.9, 'minutes', 7, 'minutes'],
    [0.5, 'hours', 1, 'hours'],
  ] as const)('[SET-04] a delay of %d %s becomes %d %s', (value, unit, clamped, clampedUnit) => {
    expect(clampDelay({ value, unit })).toEqual({ value: clamped, unit: clampedUnit });
  });
});

describe('campaigns', () => {
  test.each([
    [{}, null],
    [{ startTime: null, stopTime: null }, null],
    [{ stopTime: 1000 }, 'ended'],
    [{ stopTime: 1001 }, null],
    [{ startTime: 1000 }, null],
    [{ startTime: 1001 }, 'scheduled'],
    [{ startTime: 1001, stopTime: 2000 }, 'scheduled'],
    [{ startTime: 1001, stopTime: 999 }, 'ended'],
  ])('[FR-01] with %j at 1000: %s', (times, expected) => {
    expect(undelivered(times, 1000)).toBe(expected);
  });

  test('[DASH-07] ACTIVE first, ended last; then SmartPause off before on; then by name', () => {
    const names = [
      { name: 'g', status: 'DELETED', smartPauseSetting: 'ON' as const },
      { name: 'f', status: 'ARCHIVED', smartPauseSetting: 'OFF' as const },
      { name: 'e', status: 'PAUSED', smartPauseSetting: 'ON' as const },
      { name: 'd', status: 'PAUSED', smartPauseSetting: 'OFF' as const },
      { name: 'c', status: 'ACTIVE', smartPauseSetting: 'ON' as const },
      { name: 'b', status: 'ACTIVE', smartPauseSetting: 'DEACTIVATED' as const },
      { name: 'a', status: 'ACTIVE', smartPauseSetting: 'ON' as const },
      { name: 'a 14', status: 'ACTIVE', smartPauseSetting: 'ON' as const },
      { name: 'a 4', status: 'ACTIVE', smartPauseSetting: 'ON' as const },
    ];
    expect(
      names
        .toSorted(byListOrder)
        .map(({ name }) => name)
        .join(', '),
    ).toBe('b, a, a 4, a 14, c, d, e, f, g');
  });

  test('[DASH-08] the objective loses its prefix', () => {
    expect(objectiveLabel('OUTCOME_SALES')).toBe('SALES');
    expect(objectiveLabel('CONVERSIONS')).toBe('CONVERSIONS');
    expect(objectiveLabel('OUTCOME_APP_PROMOTION')).toBe('APP PROMOTION');
  });
});

describe('subscription', () => {
  const base: Subscription = {
    status: 'active',
    planType: 'monthly',
    currentPeriodEnd: 1000,
    canceledAt: null,
    trialEnd: null,
    renews: true,
  };

  const before = (ms: number) => base.currentPeriodEnd - ms;
  const after = (ms: number) => base.currentPeriodEnd + ms;

  test.each([
    ['active', true],
    ['trialing', true],
    ['canceled', true],
    ['past_due', false],
    ['unpaid', false],
    ['unknown', false],
  ] as const)('[SUB-03] %s before the end of the period gives access: %s', (status, access) => {
    expect(hasActiveSubscription({ ...base, status }, before(1))).toBe(access);
    expect(hasActiveSubscription({ ...base, status, renews: false }, after(0))).toBe(false);
  });

  test.each([
    ['active, 2:59 after the end', base, after(hours(3) - minutes(1)), true],
    ['active, 3:00 after the end', base, after(hours(3)), false],
    ['trialing, 2:59 after the end', { ...base, status: 'trialing' }, after(hours(3) - minutes(1)), true],
    ['active, 3:01 after the end', base, after(hours(3) + minutes(1)), false],
    ['an admin grant at its end', { ...base, renews: false }, after(0), false],
    ['canceled at its end', { ...base, status: 'canceled' }, after(0), false],
    ['past due at its end', { ...base, status: 'past_due' }, after(0), false],
    ['none', null, before(1), false],
  ] as const)(
    '[FR-20, SUB-03] a renewal that is late has three hours of grace: %s',
    (_, own, now, access) => {
      expect(hasActiveSubscription(own, now)).toBe(access);
    },
  );

  const cancelled = { renews: false, canceledAt: 5 } as const;

  test.each([
    ['none', null, false, 'may_subscribe'],
    ['active', base, true, 'subscribed'],
    ['trialing', { ...base, status: 'trialing' }, true, 'subscribed'],
    ['an admin grant', { ...base, renews: false }, true, 'subscribed'],
    ['cancelled, not yet over', { ...base, ...cancelled, status: 'canceled' }, true, 'subscribed'],
    ['cancelled and over', { ...base, ...cancelled, status: 'canceled' }, false, 'may_subscribe'],
    ['an admin grant that is over', { ...base, renews: false }, false, 'may_subscribe'],
    ['a late renewal', base, false, 'subscribed'],
    ['past due', { ...base, status: 'past_due' }, false, 'payment_issue'],
    ['past due and cancelled', { ...base, ...cancelled, status: 'past_due' }, false, 'payment_issue'],
    ['unpaid', { ...base, status: 'unpaid' }, false, 'payment_issue'],
    ['unpaid and cancelled', { ...base, ...cancelled, status: 'unpaid' }, false, 'payment_issue'],
    ['an unknown status', { ...base, status: 'unknown' }, false, 'subscribed'],
    ['an unknown status, cancelled', { ...base, ...cancelled, status: 'unknown' }, false, 'subscribed'],
  ] as const)('[PRICE-02, PRICE-04] a checkout with a subscription that is %s', (_, own, isActive, state) => {
    expect(checkoutState(own, isActive)).toBe(state);
    expect(needsPayment(own)).toBe(state === 'payment_issue');
  });

  test.each([
    ['none', null, false, false],
    ['active', base, true, true],
    ['trialing', { ...base, status: 'trialing' }, true, true],
    ['a late renewal', base, false, true],
    ['an admin grant', { ...base, renews: false }, true, true],
    ['an admin grant that is over', { ...base, renews: false }, false, false],
    ['cancelled, not yet over', { ...base, ...cancelled, status: 'canceled' }, true, false],
    ['active until a cancellation takes effect', { ...base, ...cancelled }, true, false],
    ['past due', { ...base, status: 'past_due' }, false, false],
    ['unpaid', { ...base, status: 'unpaid' }, false, false],
    ['an unknown status', { ...base, status: 'unknown' }, false, false],
  ] as const)('[SET-11] whether a subscription blocks the deletion: %s', (_, own, isActive, blocks) => {
    expect(blocksDeletion(own, isActive)).toBe(blocks);
  });

  test('[SUB-03] only an active or trialing subscription renews', () => {
    expect(wouldRenew(base)).toBe(true);
    expect(wouldRenew({ ...base, renews: false })).toBe(false);
    expect(wouldRenew({ ...base, status: 'past_due' })).toBe(false);
    expect(wouldRenew({ ...base, status: 'unknown' })).toBe(false);
    expect(wouldRenew(null)).toBe(false);
  });

  test('[SUB-03, SET-11] an admin grant takes precedence over a cancelled subscription', () => {
    const grant: Subscription = { ...base, renews: false, currentPeriodEnd: 9000 };
    const stripe: Subscription = { ...base, ...cancelled, status: 'canceled' };
    expect(effectiveSubscription({ stripe, grant }, 1)).toBe(grant);
    expect(effectiveSubscription({ stripe: base, grant }, 1)).toBe(base);
    expect(effectiveSubscription({ stripe, grant: null }, 1)).toBe(stripe);
    expect(effectiveSubscription({ stripe: { ...base, status: 'past_due' }, grant }, 1)).toBe(grant);
    expect(effectiveSubscription({ stripe, grant }, 9000)).toBe(stripe);
    expect(effectiveSubscription({ stripe: null, grant }, 9000)).toBe(grant);
  });
});

describe('backoff', () => {
  test('grows to at most one minute and jitters over the whole range', () => {
    expect([1, 2, 3, 7, 30].map((attempt) => backoffMs(attempt, 0.999999))).toEqual([
      1000, 2000, 4000, 60_000, 60_000,
    ]);
    expect(backoffMs(5, 0)).toBe(50);
    expect(backoffMs(5, 0.5)).toBe(8000);
  });

  test('is never shorter than the platform’s hint', () => {
    expect(backoffMs(1, 0, { hintMs: 300_000 })).toBe(300_000);
    expect(backoffMs(1, 0.5, { hintMs: 300_000 })).toBe(300_500);
  });
});

describe('the rate limit of an ad account', () => {
  const dev = { tier: 'development_access', percent: 0, regainAt: null, resetAt: null, at: 0 } as const;

  test.each([
    [0, 19],
    [50, 9],
    [95, 0],
    [100, 0],
    [241, 0],
  ])('in the development tier, %i percent used leaves %i writes', (percent, writes) => {
    expect(writesAllowed({ ...dev, percent }, 1000)).toBe(writes);
  });

  test('without a usage report, writes are not limited', () => {
    expect(writesAllowed(null, 0)).toBe(Infinity);
  });

  test.each<[Partial<Usage>, number]>([
    [{ regainAt: 1001 }, 0],
    [{ regainAt: 1000 }, 19],
    [{ tier: null, percent: 99 }, Infinity],
    [{ tier: null, percent: 100 }, 0],
    [{ tier: 'standard_access', percent: 50 }, 1499],
  ])('with %j: %d writes', (usage, writes) => {
    expect(writesAllowed({ ...dev, ...usage }, 1000)).toBe(writes);
  });

  test('an error without a hint blocks for a minute, in the development tier for five', () => {
    const tiers = [null, 'standard_access', 'development_access'] as const;
    expect(tiers.map(blockMs)).toEqual([60_000, 60_000, 300_000]);
  });

  test('usage decays', () => {
    expect(writesAllowed({ ...dev, percent: 100 }, 300_000)).toBe(Infinity);
    expect(writesAllowed({ ...dev, percent: 100, resetAt: 60_000 }, 60_000)).toBe(Infinity);
    expect(allowanceReturnsAt({ ...dev, percent: 100, resetAt: 60_000 }, 1000)).toBe(60_000);
    expect(allowanceReturnsAt({ ...dev, percent: 100 }, 1000)).toBe(301_000);
  });
});
