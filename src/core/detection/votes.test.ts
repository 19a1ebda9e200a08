import { expect, test } from 'vitest';
import type { FailureKind } from '../platform.ts';
import { FAILURE_KINDS } from '../platform.ts';
import { failingKinds, sumOfVotes, voteOf } from './votes.ts';

test('[EARLY-01] only what is Meta’s fault is a bad vote', () => {
  const votes = Object.fromEntries(FAILURE_KINDS.map((kind: FailureKind) => [kind, voteOf({ kind })]));
  expect(voteOf(null)).toBe('good');
  expect(votes).toMatchObject({
    transient: 'bad',
    token_invalid: 'token',
    rate_limited: null,
    app_limited: null,
  });
  expect(Object.values(votes).filter((vote) => vote === 'bad')).toHaveLength(1);
});

test('[EARLY-01] a business has one vote a minute, in the share of its calls that failed', () => {
  const none = { good: 0, bad: 0, token: 0 };
  const businesses = [
    { ...none, business: 'busy', good: 30, bad: 10 },
    { ...none, business: 'small', bad: 1 },
    { ...none, business: 'fine', good: 2 },
    { ...none, business: 'expired', token: 5 },
  ];
  expect(sumOfVotes(businesses, false)).toEqual({ votes: 3, bad: 1.25 });
  expect(sumOfVotes(businesses, true)).toEqual({ votes: 4, bad: 2.25 });
});

test('[EARLY-02] a kind of call fails from a tenth of its calls on', () => {
  const none = { good: 0, bad: 0, token: 0 };
  const calls = {
    campaigns: { ...none, good: 9, bad: 1 },
    writes: { ...none, good: 10, bad: 1 },
    spend: { ...none, good: 5, token: 3 },
  };
  expect(failingKinds(calls, false)).toEqual(['campaigns']);
  expect(failingKinds(calls, true)).toEqual(['campaigns', 'spend']);
});
