import { describe, expect, test } from 'vitest';
import { minutes } from '../time.ts';
import type { Tests } from './panels.ts';
import { isAtRest, testMinute } from './panels.ts';
import { AT_START } from './sequential-test.ts';
import type { BusinessVotes, VotesOfMinute } from './votes.ts';
import { evidenceText } from './words.ts';

const T0 = Date.parse('2024-03-05T15:00:00Z');
const START: Tests = { calls: { ...AT_START, votesAMinute: 20 } };

const businesses = (count: number, votes: Partial<BusinessVotes>): BusinessVotes[] =>
  Array.from({ length: count }, (_one, index) => ({
    business: `b${index}`,
    good: 0,
    bad: 0,
    token: 0,
    ...votes,
  }));

function votesOf(given: Partial<VotesOfMinute>): VotesOfMinute {
  const counts = { businesses: 20, failing: 20, canaryCalls: {} };
  const calls = {
    campaigns: { good: 0, bad: 100 },
    writes: { good: 0, bad: 9 },
    spend: { good: 100, bad: 1 },
  };
  const tokens = { businesses: 20, refused: 20, canaryRefused: false };
  return { businesses: [], canary: [], window: { ...counts, calls }, tokens, saysNothing: 0, ...given };
}

function play(votes: VotesOfMinute, count = 15, { before = START, hasControls = true, silent = 0 } = {}) {
  let tests = before;
  let results = null;
  for (let minute = 1; minute <= count; minute++) {
    results = testMinute(tests, votes, { at: T0 + minutes(minute), silent, medianShare: 0, hasControls });
    tests = { calls: results.calls.test, canary: results.canary.test };
  }
  if (results === null) throw new Error('no minute');
  return { tests, ...results };
}

describe('[EARLY-02, EARLY-06] both tests', () => {
  test('say which calls fail for how many businesses, and since when', () => {
    const { calls, canary } = play(votesOf({ businesses: businesses(20, { bad: 1 }) }));
    expect(calls.test.state).toBe('SUSPECTED');
    expect(calls.evidence).toEqual({
      kinds: ['campaigns', 'writes'],
      businesses: 20,
      ofBusinesses: 20,
      since: T0,
    });
    expect(canary).toMatchObject({ test: { state: 'NORMAL' }, evidence: null });
  });

  test('refused tokens of many are theirs, and Meta’s once the canary’s is refused as well', () => {
    const refused = { businesses: businesses(20, { token: 1 }) };
    expect(play(votesOf(refused)).calls.test).toMatchObject({ state: 'NORMAL', sum: 0 });
    const tokens = { businesses: 20, refused: 20, canaryRefused: true };
    expect(play(votesOf({ ...refused, tokens })).calls.test.state).toBe('SUSPECTED');
    const few = { businesses: 20, refused: 4, canaryRefused: true };
    expect(play(votesOf({ ...refused, tokens: few })).calls.test.state).toBe('NORMAL');
  });

  test('calls that no other host answered are our network’s, unless most processes work', () => {
    const ours = play(votesOf({ saysNothing: 20 }), 1);
    expect([ours.calls.test.state, ours.canary.test.state]).toEqual(['UNKNOWN', 'UNKNOWN']);
    const one = votesOf({ businesses: businesses(30, { good: 1 }), saysNothing: 20 });
    expect(play(one, 1).calls.test.state).toBe('NORMAL');
  });

  test('suspect nothing without other hosts', () => {
    const { calls } = play(votesOf({ businesses: businesses(20, { bad: 1 }) }), 60, { hasControls: false });
    expect(calls.test.state).toBe('WATCH');
  });

  test('are at rest until something fails; minutes without votes then lower what is usual', () => {
    expect(isAtRest({})).toBe(true);
    expect(isAtRest(play(votesOf({ businesses: businesses(20, { bad: 1 }) }), 1).tests)).toBe(false);
    const { tests } = play(votesOf({ businesses: businesses(20, { good: 1 }) }), 1, { silent: 60 });
    expect(tests.calls?.votesAMinute).toBeCloseTo(20 * (59 / 60) ** 61 + 20 / 60, 5);
  });
});

test.each([
  [
    'calls',
    'SUSPECTED',
    ['campaigns', 'writes'],
    'Reading campaigns and changing campaigns fail for 7 of 40 businesses.',
  ],
  ['calls', 'WATCH', ['log'], 'Reading the activity log fails for 7 of 40 businesses.'],
  ['calls', 'WATCH', [], 'Calls fail for 7 of 40 businesses.'],
  [
    'canary',
    'SUSPECTED',
    ['campaigns', 'writes', 'spend'],
    'Reading campaigns, changing campaigns and reading spend fail on SmartPause’s own ad account.',
  ],
  ['calls', 'UNKNOWN', [], 'Hosts outside Meta don’t answer either: the fault is in our own network.'],
] as const)('[EARLY-06] the evidence of %s in %s with %j is a sentence', (panel, state, kinds, text) => {
  expect(evidenceText(panel, state, { kinds, businesses: 7, ofBusinesses: 40, since: T0 })).toBe(text);
});
