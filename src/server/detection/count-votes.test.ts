import { describe, expect, test } from 'vitest';
import type { PlatformFailure } from '#core/platform.ts';
import { unasked, unreadable } from '#core/platform.ts';
import { minutes, seconds } from '#core/time.ts';
import { Votes } from './count-votes.ts';

const FAILURE = unreadable('HTTP 503 without JSON', true);
const LIMIT: PlatformFailure = { ...FAILURE, kind: 'rate_limited', code: '17' };
const DOWN: PlatformFailure = { ...FAILURE, nextProbeInMs: seconds(5) };

describe('[EARLY-01] a call', () => {
  const begin = Date.parse('2026-01-09T01:30:00Z');
  const world = () => {
    let now = begin;
    const votes = new Votes(() => now);
    return { votes, pass: (ms: number) => (now += ms) };
  };
  const counted = (given: object) => ({
    minute: begin,
    accountId: 'act_1',
    kind: 'campaigns',
    good: 0,
    bad: 0,
    token: 0,
    ...given,
  });

  test('is counted by minute, ad account and kind, once its minute has ended', () => {
    const { votes, pass } = world();
    for (const accountId of ['act_1', 'act_1', 'act_2']) votes.count(accountId, 'campaigns', null);
    votes.count('act_1', 'writes', null);
    expect(votes.take()).toEqual([]);
    pass(minutes(1));
    votes.count('act_1', 'campaigns', null);
    expect(votes.take()).toEqual([
      counted({ good: 2 }),
      counted({ accountId: 'act_2', good: 1 }),
      counted({ kind: 'writes', good: 1 }),
    ]);
    expect(votes.take()).toEqual([]);
  });

  test('that fails counts once the next one of its kind there fails, too', () => {
    const { votes, pass } = world();
    votes.count('act_1', 'campaigns', FAILURE);
    votes.count('act_1', 'writes', FAILURE);
    votes.count('act_2', 'campaigns', FAILURE);
    votes.count('act_1', 'campaigns', FAILURE);
    votes.count('act_1', 'writes', null);
    votes.count('act_1', 'writes', FAILURE);
    pass(minutes(1));
    expect(votes.take()).toEqual([counted({ bad: 1 }), counted({ kind: 'writes', good: 1 })]);
  });

  test('that fails long after the last failure is a first one again', () => {
    const { votes, pass } = world();
    votes.count('act_1', 'campaigns', FAILURE);
    pass(minutes(31));
    votes.count('act_1', 'campaigns', FAILURE);
    pass(minutes(1));
    expect(votes.take()).toEqual([]);
  });

  test('that fails while the circuit breaker is open counts at once', () => {
    const { votes, pass } = world();
    votes.count('act_1', 'campaigns', DOWN);
    pass(minutes(1));
    expect(votes.take()).toEqual([counted({ bad: 1 })]);
  });

  test('that fails twice within one read of a list counts at once', () => {
    const { votes, pass } = world();
    votes.count('act_1', 'campaigns', { ...FAILURE, isRepeated: true });
    pass(minutes(1));
    expect(votes.take()).toEqual([counted({ bad: 1 })]);
  });

  test.each([
    ['was not sent', { ...unasked('not sent: the circuit breaker is open'), nextProbeInMs: 1 }],
    ['met a limit', LIMIT],
  ])('that %s says nothing', (_what, failure) => {
    const { votes, pass } = world();
    for (let index = 0; index < 3; index++) votes.count('act_1', 'campaigns', failure);
    pass(minutes(1));
    expect(votes.take()).toEqual([]);
  });
});
