import fc from 'fast-check';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { hasActiveSubscription, wouldRenew } from '#core/billing/subscription.ts';
import { days } from '#core/time.ts';
import { readSubscriptions } from './subscriptions.ts';

const NOW = Date.parse('2026-02-01T00:00:00Z');
const at = (ms: number) => (NOW + ms) / 1000;
const ENDS = at(days(20));
const PRICES = { monthly: 'price_m', yearly: 'price_y' };

function stripe(over: object = {}, price = PRICES.monthly): Stripe.Subscription {
  const items = {
    data: [{ price: { id: price, recurring: { interval: 'month' } }, current_period_end: ENDS }],
  };
  const none = { canceled_at: null, cancel_at: null, ended_at: null, trial_start: null, trial_end: null };
  const fixed = {
    id: 'sub_1',
    status: 'active',
    created: at(-days(10)),
    cancel_at_period_end: false,
    ...none,
  };
  const metadata = { smartpause: 'subscription' };
  return { ...fixed, items, metadata, pause_collection: null, latest_invoice: null, ...over } as never;
}

const read = (...all: Stripe.Subscription[]) => readSubscriptions(all, PRICES, NOW);

const trial = { status: 'trialing', trial_start: at(-days(10)), trial_end: ENDS };
const cancelled = { cancel_at: ENDS, canceled_at: at(-1000) };
const over = { status: 'canceled', canceled_at: at(-days(2)), ended_at: at(-1000) };
const paused = { pause_collection: { behavior: 'void', resumes_at: null } };

test.each<[string, object, string, { access: boolean; renews?: boolean }]>([
  ['active', {}, 'active', { access: true, renews: true }],
  ['trialing', trial, 'trialing', { access: true, renews: true }],
  ['past due', { status: 'past_due' }, 'past_due', { access: false }],
  ['unpaid', { status: 'unpaid' }, 'unpaid', { access: false }],
  ['paused', paused, 'unknown', { access: false }],
  ['paused, cancelled', { ...cancelled, ...paused }, 'unknown', { access: false }],
  ['paused, past due', { ...paused, status: 'past_due' }, 'past_due', { access: false }],
  ['a status of the future', { status: 'resting' }, 'unknown', { access: false }],
  ['never paid', { status: 'incomplete_expired', ended_at: at(-1) }, 'canceled', { access: false }],
  ['cancelled in the portal', cancelled, 'canceled', { access: true }],
  ['cancelled by the API', { cancel_at_period_end: true, canceled_at: at(-1) }, 'canceled', { access: true }],
  ['a trial cancelled', { ...trial, ...cancelled }, 'canceled', { access: true }],
  ['cancelled, past due', { ...cancelled, status: 'past_due' }, 'past_due', { access: false }],
  ['over', over, 'canceled', { access: false }],
  ['a trial ended before its time', { ...trial, ...over }, 'canceled', { access: false }],
  [
    'over by a clock that is ahead',
    { ...over, ended_at: ENDS, cancel_at: ENDS },
    'canceled',
    { access: false },
  ],
  ['kept after a cancellation', { ended_at: at(-5) }, 'active', { access: true, renews: true }],
])('[SUB-03, SET-08] %s', (_title, given, status, { access, renews = false }) => {
  const { subscription } = read(stripe(given));
  expect(subscription?.status).toBe(status);
  expect(hasActiveSubscription(subscription, NOW)).toBe(access);
  expect(wouldRenew(subscription)).toBe(renews);
});

test('a scheduled cancellation keeps access until its end and shows when it was cancelled', () => {
  const end = NOW + days(19);
  const { subscription } = read(stripe({ cancel_at: end / 1000, canceled_at: at(-5000) }));
  expect(subscription).toMatchObject({ currentPeriodEnd: end, canceledAt: NOW - 5000, trialEnd: null });
  expect(hasActiveSubscription(subscription, end - 1)).toBe(true);
  expect(hasActiveSubscription(subscription, end)).toBe(false);
});

test('an early end of a trial also ends the trial days', () => {
  expect(read(stripe({ ...trial, ...over }))).toMatchObject({
    subscription: { trialEnd: NOW - 1000 },
    usedTrial: true,
  });
});

test.each([
  [PRICES.monthly, 'monthly'],
  [PRICES.yearly, 'yearly'],
  ['price_before', 'monthly'],
])('the plan of the price %s is %s', (price, planType) => {
  expect(read(stripe({}, price)).subscription).toMatchObject({ planType });
});

describe('of several subscriptions of a customer', () => {
  const RANKING = ['active', 'past_due', 'unpaid', 'resting', 'canceled', 'incomplete_expired', 'incomplete'];
  const several = fc
    .array(fc.record({ status: fc.constantFrom('trialing', 'paused', ...RANKING), created: fc.nat(4) }))
    .map((list) => list.map((one, index) => stripe({ ...one, id: `sub_${index}` })));

  test('the order in which Stripe lists them does not matter, and an active one gives access', () => {
    const twice = several.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(twice, ([list, shuffled]) => {
        const { subscription } = read(...list);
        expect(read(...shuffled).subscription).toEqual(subscription);
        const isAlive = list.some(({ status }) => status === 'active' || status === 'trialing');
        expect(hasActiveSubscription(subscription, NOW)).toBe(isAlive);
      }),
    );
  });

  test.each(RANKING.slice(0, -1).map((status, index) => [status, RANKING[index + 1] ?? '']))(
    '%s counts before a later one that is %s',
    (status, later) => {
      const plans = [stripe({ status }, 'price_y'), stripe({ id: 'sub_2', status: later, created: at(0) })];
      expect(read(...plans).subscription?.planType).toBe('yearly');
    },
  );

  test('an open first payment is no subscription yet', () => {
    expect(read(stripe({ status: 'incomplete' })).subscription).toBeNull();
  });

  const old = stripe({ id: 'sub_old', created: 1 });
  const young = stripe({ id: 'sub_young', created: 2 }, 'price_y');
  const ended = stripe({ id: 'sub_ended', status: 'canceled', created: 3 });
  const foreign = stripe(
    { id: 'sub_foreign', created: 4, metadata: {}, ...trial },
    'price_of_another_product',
  );
  const manual = stripe({ id: 'sub_manual', created: 5, metadata: {} }, 'price_y');

  test.each<[string, Stripe.Subscription[], string | undefined, string[]]>([
    ['of two active ones the older', [old, young, ended, foreign], 'yearly', ['sub_old']],
    ['none of the ended ones', [ended], 'monthly', []],
    ['none beside a subscription to another product', [foreign, old], 'monthly', []],
    ['no subscription to another product alone', [foreign], undefined, []],
    ['none beside a manually created one to our price, which gives access', [manual, old], 'yearly', []],
  ])('superfluous is %s', (_title, all, planType, extra) => {
    const { subscription, extras, usedTrial } = read(...all);
    expect(subscription?.planType).toBe(planType);
    expect([extras.map(({ id }) => id), usedTrial]).toEqual([extra, false]);
  });
});
