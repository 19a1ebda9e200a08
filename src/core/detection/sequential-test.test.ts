import { describe, expect, test } from 'vitest';
import { minutes } from '../time.ts';
import type { Panel } from './parameters.ts';
import { TEST } from './parameters.ts';
import type { DetectionState, TestState, TestedMinute } from './sequential-test.ts';
import { AT_START, afterSilence, limitOf, nextTest, weightsOf } from './sequential-test.ts';

const T0 = Date.parse('2026-01-09T01:30:00Z');
const WIDE = { businesses: 20, failing: 10, kinds: 2 };

/** Minutes of 20 votes, of which so many are bad. */
function play(
  bad: readonly number[],
  { panel = 'calls', votes = 20, ...given }: Partial<TestedMinute> & { panel?: Panel; votes?: number } = {},
) {
  let state: TestState = { ...AT_START, votesAMinute: votes };
  const states: DetectionState[] = [];
  for (const [index, one] of bad.entries()) {
    const minute = {
      at: T0 + minutes(index + 1),
      window: WIDE,
      medianShare: 0,
      controlsAnswer: true,
      ...given,
    };
    state = nextTest(state, { ...minute, votes, bad: one }, panel);
    states.push(state.state);
  }
  const firstOf = (wanted: DetectionState) => {
    const index = states.indexOf(wanted);
    return index === -1 ? null : index + 1;
  };
  return { state, states, firstOf };
}

const repeat = (bad: number, count: number) => Array.from({ length: count }, () => bad);

describe('[EARLY-02] the sequential test', () => {
  test('uses the weights and the limit of its design', () => {
    const { good, bad } = weightsOf(0, 0.2);
    expect([good, bad].map((one) => one.toFixed(3))).toEqual(['-0.213', '2.996']);
    expect(limitOf(20)).toBeCloseTo(16.2, 1);
  });

  test.each([
    ['half of the businesses', 10, 5, 11],
    ['a fifth', 4, 6, 12],
    ['all', 20, 5, 11],
  ])('%s failing is WATCH after minutes and SUSPECTED after ten', (_what, bad, watch, suspected) => {
    const { firstOf } = play(repeat(bad, 30));
    expect(firstOf('WATCH')).toBeGreaterThanOrEqual(watch);
    expect(firstOf('WATCH')).toBeLessThanOrEqual(watch + 1);
    expect(firstOf('SUSPECTED')).toBeGreaterThanOrEqual(suspected);
    expect(firstOf('SUSPECTED')).toBeLessThanOrEqual(suspected + 1);
  });

  test('a failure of three minutes is not even watched', () => {
    expect(play([...repeat(2, 3), ...repeat(0, 60)]).states.every((one) => one === 'NORMAL')).toBe(true);
  });

  test('a failure of six minutes is watched, and not suspected', () => {
    const { firstOf, state } = play([...repeat(20, 6), ...repeat(0, 60)]);
    expect(firstOf('WATCH')).toBe(5);
    expect(firstOf('SUSPECTED')).toBeNull();
    expect(state).toMatchObject({ state: 'NORMAL', sum: 0 });
  });

  test('it ends after fifteen minutes of good votes once the sum is 0', () => {
    const outage = repeat(20, 60);
    const { states } = play([...outage, ...repeat(0, 40)]);
    const ended = states.lastIndexOf('SUSPECTED') + 1;
    // 24 to come down at 4.3 a minute, and then fifteen minutes.
    expect(ended - outage.length).toBeGreaterThanOrEqual(15 + 5);
    expect(ended - outage.length).toBeLessThanOrEqual(15 + 7);
    expect(states.at(-1)).toBe('NORMAL');
  });

  test('it ends if no one calls any more, and remembers nothing', () => {
    let { state } = play(repeat(20, 20));
    const silence = { votes: 0, bad: 0, window: WIDE, medianShare: 0, controlsAnswer: true };
    for (let minute = 21; minute <= 20 + 16; minute++)
      state = nextTest(state, { ...silence, at: T0 + minutes(minute) }, 'calls');
    expect(state).toMatchObject({ state: 'NORMAL', sum: 0, overSince: null });
  });

  test.each([
    ['two businesses', { window: { businesses: 20, failing: 2, kinds: 2 } }],
    ['a tenth of the businesses', { window: { businesses: 100, failing: 10, kinds: 2 } }],
    ['one kind of call', { window: { businesses: 20, failing: 10, kinds: 1 } }],
    ['no other host to ask', { controlsAnswer: null }],
  ])('%s is watched at most', (_what, given) => {
    expect(new Set(play(repeat(20, 60), given).states)).toEqual(new Set(['NORMAL', 'WATCH']));
  });

  test('our own network is UNKNOWN, and adds nothing', () => {
    const { state, states } = play(repeat(20, 60), { controlsAnswer: false });
    expect(new Set(states)).toEqual(new Set(['UNKNOWN']));
    expect(state.sum).toBe(0);
    const next = { bad: 0, window: WIDE, medianShare: 0, controlsAnswer: true, at: T0 + minutes(61) };
    expect(nextTest(state, { ...next, votes: 0 }, 'calls').state).toBe('UNKNOWN');
    expect(nextTest(state, { ...next, votes: 1 }, 'calls').state).toBe('NORMAL');
  });

  test('what is suspected lasts while our own network fails for less than fifteen minutes', () => {
    const { state } = play(repeat(20, 20));
    const without = { votes: 0, bad: 0, window: WIDE, medianShare: 0, controlsAnswer: false };
    const after = (count: number) =>
      Array.from({ length: count }).reduce<TestState>(
        (before, _one, index) => nextTest(before, { ...without, at: T0 + minutes(21 + index) }, 'calls'),
        state,
      );
    expect(after(15)).toMatchObject({ state: 'SUSPECTED', sum: state.sum });
    expect(after(16).state).toBe('UNKNOWN');
    const again = { ...without, votes: 20, bad: 20, controlsAnswer: true };
    expect(nextTest(after(15), { ...again, at: T0 + minutes(36) }, 'calls')).toMatchObject({
      state: 'SUSPECTED',
      clearSince: null,
    });
  });

  test('below five votes a minute nothing begins', () => {
    const few = play(repeat(4, 60), { votes: 4 });
    expect(few.state).toMatchObject({ state: 'NORMAL', sum: 0 });
    expect(afterSilence({ ...AT_START, votesAMinute: 20 }, 60).votesAMinute).toBeCloseTo(20 / Math.E, 0);
  });

  test('an outage in which fewer call is not forgotten', () => {
    const busy = play(repeat(20, 12)).state;
    const probe = { votes: 2, bad: 2, window: WIDE, medianShare: 0, controlsAnswer: true };
    let state = busy;
    for (let minute = 13; minute < 200; minute++)
      state = nextTest(state, { ...probe, at: T0 + minutes(minute) }, 'calls');
    expect(state.state).toBe('SUSPECTED');
  });

  test('errors that are usual here alarm no one', () => {
    const many = repeat(1, 2000);
    expect(play(many, { medianShare: 0.05 }).states.every((one) => one === 'NORMAL')).toBe(true);
    expect(play(many).state.sum).toBeLessThan(TEST.cap * limitOf(20));
  });

  test('[EARLY-07] the canary alone is suspected when two kinds of its calls fail, and only then', () => {
    const window = { businesses: 1, failing: 1, kinds: 2 };
    const { firstOf } = play(repeat(2, 30), { panel: 'canary', votes: 3, window });
    expect(firstOf('SUSPECTED')).toBeLessThanOrEqual(14);
    const one = play(repeat(1, 60), { panel: 'canary', votes: 3, window: { ...window, kinds: 1 } });
    expect(one.firstOf('SUSPECTED')).toBeNull();
  });
});
