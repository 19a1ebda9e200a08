import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StripeSubscription } from './stripe-subscription.ts';
import { chooseSubscription, superfluous, toSubscription } from './stripe-subscription.ts';
import { hasActiveSubscription, wouldRenew } from './subscription.ts';
import { days } from '../time.ts';

const NOW = Date.parse('2026-02-01T00:00:00Z');

function stripe(over: Partial<StripeSubscription> = {}): StripeSubscription {
  return {
    id: 'sub_1',
    status: 'active',
    createdAt: NOW - days(10),
    planType: 'monthly',
    isOurs: true,
    isFromCheckout: true,
    currentPeriodEnd: NOW + days(20),
    canceledAt: null,
    cancelAt: null,
    cancelAtPeriodEnd: false,
    endedAt: null,
    trialStart: null,
    trialEnd: null,
    ...over,
  };
}

describe('toSubscription', () => {
  const ends = NOW + days(20);
  const trial = { status: 'trialing', trialStart: NOW - days(10), trialEnd: ends };

  test.each<[string, Partial<StripeSubscription>, string, boolean, boolean]>([
    ['active', {}, 'active', true, true],
    ['trialing', trial, 'trialing', true, true],
    ['past due', { status: 'past_due' }, 'past_due', false, false],
    ['unpaid', { status: 'unpaid' }, 'unpaid', false, false],
    ['paused: no payment is made', { status: 'paused' }, 'unknown', false, false],
    ['a status of the future', { status: 'resting' }, 'unknown', false, false],
    [
      'the first payment never came',
      { status: 'incomplete_expired', endedAt: NOW - 1 },
      'canceled',
      false,
      false,
    ],
    ['cancelled in the portal (cancel_at)', { cancelAt: ends, canceledAt: NOW - 1 }, 'canceled', true, false],
    ['cancelled by the API', { cancelAtPeriodEnd: true, canceledAt: NOW - 1 }, 'canceled', true, false],
    ['a trial cancelled', { ...trial, cancelAt: ends, canceledAt: NOW - 1 }, 'canceled', true, false],
    ['ended', { status: 'canceled', canceledAt: NOW - days(2), endedAt: NOW - 1 }, 'canceled', false, false],
    [
      'a trial ended before its time',
      { ...trial, status: 'canceled', canceledAt: NOW - 1, endedAt: NOW - 1 },
      'canceled',
      false,
      false,
    ],
    [
      'cancelled while past due',
      { status: 'past_due', cancelAt: ends, canceledAt: NOW },
      'past_due',
      false,
      false,
    ],
  ])('[SUB-03, SET-08] %s', (_title, over, status, isActive, renews) => {
    const row = toSubscription(stripe(over), NOW);
    expect(row.status).toBe(status);
    expect(hasActiveSubscription(row, NOW)).toBe(isActive);
    expect(wouldRenew(row)).toBe(renews);
  });

  test('a scheduled cancellation keeps access until its end and shows when it was cancelled', () => {
    const row = toSubscription(stripe({ cancelAt: ends - days(1), canceledAt: NOW - 5 }), NOW);
    expect(row).toMatchObject({ currentPeriodEnd: ends - days(1), canceledAt: NOW - 5 });
    expect(hasActiveSubscription(row, ends - days(1) - 1)).toBe(true);
    expect(hasActiveSubscription(row, ends - days(1))).toBe(false);
  });

  test('an end that Stripe reports counts at once, also if Stripe’s clock is ahead', () => {
    const row = toSubscription(
      stripe({ status: 'canceled', endedAt: NOW + days(9), cancelAt: NOW + days(9) }),
      NOW,
    );
    expect(hasActiveSubscription(row, NOW)).toBe(false);
  });

  test('a revoked cancellation has no effect', () => {
    const row = toSubscription(stripe({ endedAt: NOW - 5 }), NOW);
    expect(row).toMatchObject({ status: 'active', renews: true, canceledAt: null });
  });

  test('an early end of a trial also ends the trial days', () => {
    const row = toSubscription(
      stripe({ ...trial, status: 'canceled', endedAt: NOW - 5, canceledAt: NOW - 5 }),
      NOW,
    );
    expect(row.trialEnd).toBe(NOW - 5);
  });
});

describe('chooseSubscription', () => {
  const status = fc.constantFrom(
    'active',
    'trialing',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
    'incomplete',
    'incomplete_expired',
    'resting',
  );
  const several = fc
    .array(fc.record({ status, createdAt: fc.integer({ min: 1, max: 4 }) }), { maxLength: 6 })
    .map((list) => list.map((over, index) => stripe({ ...over, id: `sub_${index}` })));

  test('the order in which Stripe lists subscriptions does not matter', () => {
    const twice = several.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(twice, ([list, shuffled]) => {
        expect(chooseSubscription(shuffled)).toEqual(chooseSubscription(list));
      }),
    );
  });

  test('an active paid subscription gives access, however many others ended', () => {
    fc.assert(
      fc.property(several, (list) => {
        const isAlive = list.some((one) => one.status === 'active' || one.status === 'trialing');
        const chosen = chooseSubscription(list);
        expect(chosen !== null && hasActiveSubscription(toSubscription(chosen, NOW), NOW)).toBe(isAlive);
      }),
    );
  });

  test.each([
    ['active', 'past_due'],
    ['trialing', 'past_due'],
    ['past_due', 'unpaid'],
    ['unpaid', 'resting'],
    ['resting', 'canceled'],
    ['paused', 'canceled'],
    ['canceled', 'incomplete_expired'],
  ])('%s counts before a later one that is %s', (first, other) => {
    const all = [stripe({ status: first }), stripe({ id: 'sub_2', status: other, createdAt: NOW })];
    expect(chooseSubscription(all)).toBe(all[0]);
  });

  test('an open first payment is no subscription yet', () => {
    expect(chooseSubscription([stripe({ status: 'incomplete' })])).toBeNull();
    expect(chooseSubscription([])).toBeNull();
  });

  test('of two active ones the older is superfluous; ended and unrelated ones are left alone', () => {
    const [old, young] = [stripe({ id: 'sub_old', createdAt: 1 }), stripe({ id: 'sub_young', createdAt: 2 })];
    const ended = stripe({ id: 'sub_ended', status: 'canceled', createdAt: 3 });
    const stranger = stripe({ id: 'sub_stranger', createdAt: 0, isOurs: false, isFromCheckout: false });
    expect(chooseSubscription([old, young, ended])?.id).toBe('sub_young');
    expect(superfluous([old, young, ended, stranger]).map(({ id }) => id)).toEqual(['sub_old']);
    expect(superfluous([ended])).toEqual([]);
  });

  test('a subscription to another product gives no access and ends nothing of ours', () => {
    const ours = stripe({ createdAt: 1 });
    const theirs = stripe({ id: 'sub_theirs', createdAt: 2, isOurs: false, isFromCheckout: false });
    expect(chooseSubscription([theirs])).toBeNull();
    expect(chooseSubscription([theirs, ours])).toBe(ours);
    expect(superfluous([theirs, ours])).toEqual([]);
  });

  test('a manually created subscription to our price gives access and is never ended automatically', () => {
    const ours = stripe({ createdAt: 1 });
    const isManual = stripe({ id: 'sub_external', createdAt: 2, isFromCheckout: false });
    expect(chooseSubscription([isManual, ours])).toBe(isManual);
    expect(superfluous([isManual, ours])).toEqual([]);
  });
});
