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
  const none = { good: 0, bad: 0, token: 0 };
  const calls = {
    campaigns: { ...none, bad: 100 },
    writes: { ...none, bad: 9 },
    spend: { ...none, good: 100, bad: 1 },
  };
  const window = { businesses: 20, failing: 20, refused: 20, calls, canaryCalls: {} };
  const tokens = { businesses: 20, refused: 0 };
  return { businesses: [], canary: [], window, tokens, saysNothing: 0, ...given };
}

const GIVEN = { silent: 0, medianShare: 0, hasControls: true, hasCanary: true, isCanaryRefused: false };

function play(votes: VotesOfMinute, count = 15, given: Partial<typeof GIVEN> = {}) {
  let tests = START;
  let results = null;
  for (let minute = 1; minute <= count; minute++) {
    results = testMinute(tests, votes, { ...GIVEN, ...given, at: T0 + minutes(minute) });
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

  test('refused tokens of many are theirs, and Meta’s while the canary’s is refused as well', () => {
    const none = { good: 0, bad: 0, token: 0 };
    const calls = { campaigns: { ...none, token: 90 }, writes: { ...none, token: 9 } };
    const window = { businesses: 20, failing: 0, refused: 20, calls, canaryCalls: {} };
    const refused = {
      businesses: businesses(20, { token: 1 }),
      window,
      tokens: { businesses: 20, refused: 20 },
    };
    expect(play(votesOf(refused)).calls.test).toMatchObject({ state: 'NORMAL', sum: 0 });
    const { calls: found } = play(votesOf(refused), 15, { isCanaryRefused: true });
    expect(found.test.state).toBe('SUSPECTED');
    expect(found.evidence).toMatchObject({ businesses: 20, kinds: ['campaigns', 'writes'] });
    const few = votesOf({ ...refused, tokens: { businesses: 20, refused: 4 } });
    expect(play(few, 15, { isCanaryRefused: true }).calls.test.state).toBe('NORMAL');
  });

  test('the canary’s own expired token is no outage, however small the installation', () => {
    const canary = businesses(1, { token: 1 });
    const tokens = { businesses: 1, refused: 1 };
    const votes = votesOf({ canary, tokens, window: { ...votesOf({}).window, failing: 0, calls: {} } });
    const { canary: found, calls } = play(votes, 60, { isCanaryRefused: true });
    expect([found.test.state, calls.test.state]).toEqual(['NORMAL', 'NORMAL']);
  });

  test('calls that no other host answered are our network’s, unless most processes work', () => {
    const ours = play(votesOf({ saysNothing: 20 }), 1);
    expect([ours.calls.test.state, ours.canary.test.state]).toEqual(['UNKNOWN', 'UNKNOWN']);
    const one = votesOf({ businesses: businesses(30, { good: 1 }), saysNothing: 20 });
    expect(play(one, 1).calls.test.state).toBe('NORMAL');
    expect(play(votesOf({ saysNothing: 20 }), 1, { hasCanary: false }).canary.test.state).toBe('NORMAL');
  });

  test('a network of ours that comes and goes is never Meta’s fault', () => {
    const failing = votesOf({ businesses: businesses(20, { bad: 1 }) });
    const ours = votesOf({ saysNothing: 20 });
    let tests = START;
    const states = new Set<string>();
    for (let minute = 1; minute <= 60; minute++) {
      const results = testMinute(tests, minute % 11 === 1 ? failing : ours, {
        ...GIVEN,
        at: T0 + minutes(minute),
      });
      tests = { calls: results.calls.test, canary: results.canary.test };
      states.add(results.calls.test.state);
    }
    expect(states).not.toContain('SUSPECTED');
  });

  test('evidence is null where no call fails any more, so that what was found is kept', () => {
    const { tests } = play(votesOf({ businesses: businesses(20, { bad: 1 }) }));
    const window = { ...votesOf({}).window, failing: 0, calls: {} };
    const after = testMinute(tests, votesOf({ businesses: businesses(20, { good: 1 }), window }), {
      ...GIVEN,
      at: T0 + minutes(16),
    });
    expect(after.calls).toMatchObject({ test: { state: 'SUSPECTED' }, evidence: null });
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
    'Since 10:00 AM EST, reading campaigns and changing campaigns fail for 7 of 40 businesses.',
  ],
  ['calls', 'WATCH', ['log'], 'Since 10:00 AM EST, reading the activity log fails for 7 of 40 businesses.'],
  ['calls', 'WATCH', [], 'Since 10:00 AM EST, calls fail for 7 of 40 businesses.'],
  [
    'canary',
    'SUSPECTED',
    ['campaigns', 'writes', 'spend'],
    'Since 10:00 AM EST, reading campaigns, changing campaigns and reading spend fail on SmartPause’s own ad account.',
  ],
  ['calls', 'UNKNOWN', [], 'Hosts outside Meta don’t answer either: the fault is in our own network.'],
] as const)('[EARLY-06] the evidence of %s in %s with %j is a sentence', (panel, state, kinds, text) => {
  expect(evidenceText(panel, state, { kinds, businesses: 7, ofBusinesses: 40, since: T0 })).toBe(text);
});
