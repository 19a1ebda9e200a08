import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StripeSubscription } from './stripe-subscription.ts';
import { chooseSubscription, superfluous, toSubscription } from './stripe-subscription.ts';
import { hasActiveSubscription, wouldRenew } from './subscription.ts';
import { days } from '../time.ts';

const NOW = Date.parse('2026-02-01T00:00:00Z');
const ENDS = NOW + days(20);

function stripe(over: Partial<StripeSubscription> = {}): StripeSubscription {
  return {
    id: 'sub_1',
    status: 'active',
    createdAt: NOW - days(10),
    planType: 'monthly',
    isOurs: true,
    isFromCheckout: true,
    currentPeriodEnd: ENDS,
    canceledAt: null,
    cancelAt: null,
    cancelAtPeriodEnd: false,
    endedAt: null,
    trialStart: null,
    trialEnd: null,
    isPaused: false,
    openInvoiceUrl: null,
    ...over,
  };
}

const trial = { status: 'trialing', trialStart: NOW - days(10), trialEnd: ENDS };
const cancelled = { cancelAt: ENDS, canceledAt: NOW - 1 };
const over = { status: 'canceled', canceledAt: NOW - days(2), endedAt: NOW - 1 };

test.each<[string, Partial<StripeSubscription>, string, { access: boolean; renews?: boolean }]>([
  ['active', {}, 'active', { access: true, renews: true }],
  ['trialing', trial, 'trialing', { access: true, renews: true }],
  ['past due', { status: 'past_due' }, 'past_due', { access: false }],
  ['unpaid', { status: 'unpaid' }, 'unpaid', { access: false }],
  ['paused', { isPaused: true }, 'unknown', { access: false }],
  ['paused, cancelled', { ...cancelled, isPaused: true }, 'unknown', { access: false }],
  ['paused, past due', { status: 'past_due', isPaused: true }, 'past_due', { access: false }],
  ['a status of the future', { status: 'resting' }, 'unknown', { access: false }],
  ['never paid', { status: 'incomplete_expired', endedAt: NOW - 1 }, 'canceled', { access: false }],
  ['cancelled in the portal', cancelled, 'canceled', { access: true }],
  ['cancelled by the API', { cancelAtPeriodEnd: true, canceledAt: NOW - 1 }, 'canceled', { access: true }],
  ['a trial cancelled', { ...trial, ...cancelled }, 'canceled', { access: true }],
  ['cancelled, past due', { ...cancelled, status: 'past_due' }, 'past_due', { access: false }],
  ['over', over, 'canceled', { access: false }],
  ['a trial ended before its time', { ...trial, ...over }, 'canceled', { access: false }],
  [
    'over by a clock that is ahead',
    { ...over, endedAt: ENDS, cancelAt: ENDS },
    'canceled',
    { access: false },
  ],
  // [FR-17] What was once asked for and revoked has no effect.
  ['kept after a cancellation', { endedAt: NOW - 5 }, 'active', { access: true, renews: true }],
])('[SUB-03, SET-08] %s', (_title, given, status, { access, renews = false }) => {
  const row = toSubscription(stripe(given), NOW);
  expect(row.status).toBe(status);
  expect(hasActiveSubscription(row, NOW)).toBe(access);
  expect(wouldRenew(row)).toBe(renews);
});

test('a scheduled cancellation keeps access until its end and shows when it was cancelled', () => {
  const row = toSubscription(stripe({ cancelAt: ENDS - days(1), canceledAt: NOW - 5 }), NOW);
  expect(row).toMatchObject({ currentPeriodEnd: ENDS - days(1), canceledAt: NOW - 5, trialEnd: null });
  expect(hasActiveSubscription(row, ENDS - days(1) - 1)).toBe(true);
  expect(hasActiveSubscription(row, ENDS - days(1))).toBe(false);
  expect(toSubscription(stripe({ ...trial, ...over }), NOW).trialEnd).toBe(NOW - 1);
});

describe('of several subscriptions of a customer', () => {
  const RANKING = ['active', 'past_due', 'unpaid', 'resting', 'canceled', 'incomplete_expired', 'incomplete'];
  const several = fc
    .array(fc.record({ status: fc.constantFrom('trialing', 'paused', ...RANKING), createdAt: fc.nat(4) }))
    .map((list) => list.map((one, index) => stripe({ ...one, id: `sub_${index}` })));

  test('the order in which Stripe lists them does not matter, and an active one gives access', () => {
    const twice = several.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(twice, ([list, shuffled]) => {
        const chosen = chooseSubscription(list);
        expect(chooseSubscription(shuffled)).toEqual(chosen);
        const isAlive = list.some(({ status }) => status === 'active' || status === 'trialing');
        expect(chosen !== null && hasActiveSubscription(toSubscription(chosen, NOW), NOW)).toBe(isAlive);
      }),
    );
  });

  test.each(RANKING.slice(0, -1).map((status, index) => [status, RANKING[index + 1] ?? '']))(
    '%s counts before a later one that is %s',
    (status, later) => {
      const all = [stripe({ status }), stripe({ id: 'sub_2', status: later, createdAt: NOW })];
      expect(chooseSubscription(all)).toBe(all[0]);
    },
  );

  test('an open first payment is no subscription yet', () => {
    expect(chooseSubscription([stripe({ status: 'incomplete' })])).toBeNull();
  });

  const [old, young] = [stripe({ id: 'sub_old', createdAt: 1 }), stripe({ id: 'sub_young', createdAt: 2 })];
  const ended = stripe({ id: 'sub_ended', status: 'canceled', createdAt: 3 });
  const foreign = stripe({ id: 'sub_foreign', createdAt: 4, isOurs: false, isFromCheckout: false });
  const manual = stripe({ id: 'sub_manual', createdAt: 5, isFromCheckout: false });

  test.each<[string, StripeSubscription[], StripeSubscription | null, StripeSubscription[]]>([
    ['of two active ones the older', [old, young, ended, foreign], young, [old]],
    ['none of the ended ones', [ended], ended, []],
    ['none beside a subscription to another product, which gives no access', [foreign, old], old, []],
    ['no subscription to another product alone', [foreign], null, []],
    ['none beside a manually created one to our price, which gives access', [manual, old], manual, []],
  ])('superfluous is %s', (_title, all, chosen, extra) => {
    expect(chooseSubscription(all)).toBe(chosen);
    expect(superfluous(all)).toEqual(extra);
  });
});
