import type { Instant } from '../time.ts';
import { minutes } from '../time.ts';
import type { Panel } from './parameters.ts';
import { PANELS, TEST } from './parameters.ts';
import type { MinuteVotes } from './votes.ts';

/** WATCH and SUSPECTED: calls to the platform fail. UNKNOWN: our own network fails. */
export const DETECTION_STATES = ['NORMAL', 'WATCH', 'SUSPECTED', 'UNKNOWN'] as const;
export type DetectionState = (typeof DETECTION_STATES)[number];

/** What the test of a panel remembers from minute to minute. */
export interface TestState {
  state: DetectionState;
  /** Log-likelihood ratio of 'fails more than usual' to 'as usual', not below 0. */
  sum: number;
  /** Votes in an ordinary minute: the mean of about an hour, while nothing fails. */
  votesAMinute: number;
  /** Since when the sum has a value; null: it is 0. */
  risingSince: Instant | null;
  /** Since when the sum is over its limit; null: it is not. */
  overSince: Instant | null;
  /** Since when the sum is 0 with few bad votes, or there are no votes; null: neither. */
  clearSince: Instant | null;
}

export const AT_START: TestState = {
  ...{ state: 'NORMAL', sum: 0, votesAMinute: 0, risingSince: null, overSince: null, clearSince: null },
};

/** A minute in which our own network failed has no votes. */
export interface TestedMinute extends MinuteVotes {
  /** The end of the minute. */
  at: Instant;
  /** Of the last minutes (`WINDOW_MS`): businesses that called, those of them with a failed call, and kinds of failed calls. */
  window: { businesses: number; failing: number; kinds: number };
  /** Failing share of ordinary minutes: the median of 28 days. */
  medianShare: number;
  /** Other hosts are known to answer; null: none is configured, or there was no reason to ask. */
  controlsAnswer: boolean | null;
}

/** The limit of the sum: by Wald, e^h votes pass on average before chance reaches it. */
export function limitOf(votesAMinute: number): number {
  return Math.log(Math.max(votesAMinute, 1) * 525_600 * TEST.yearsToFalseAlarm);
}

/** What a good and a bad vote add to the sum. */
export function weightsOf(medianShare: number, failing: number): { good: number; bad: number } {
  const usual = Math.min(Math.max(TEST.usualShare, TEST.usualTimes * medianShare), failing / 2);
  return { good: Math.log((1 - failing) / (1 - usual)), bad: Math.log(failing / usual) };
}

/** Of the mean of votes a minute, from one minute to the next. */
const KEPT = 59 / 60;

/** After so many minutes without votes, in which nothing failed. */
export function afterSilence(test: TestState, minutesOf: number): TestState {
  return { ...test, votesAMinute: test.votesAMinute * KEPT ** minutesOf };
}

/** The state after one more minute. */
export function nextTest(before: TestState, minute: TestedMinute, panel: Panel): TestState {
  if (minute.controlsAnswer === false) return withoutNetwork(before, minute.at);
  const after = addVotes(before, minute, panel);
  const { clearSince } = after;
  if (clearSince !== null && minute.at - clearSince >= TEST.clearAfterMs)
    return { ...after, state: 'NORMAL', sum: 0, risingSince: null, overSince: null };
  return { ...after, state: stateOf(after, minute, panel) };
}

/** The minute says nothing about the platform: what is suspected lasts as long as without any vote. */
function withoutNetwork(before: TestState, at: Instant): TestState {
  const clearSince = before.clearSince ?? at;
  if (before.state === 'SUSPECTED' && at - clearSince < TEST.clearAfterMs) return { ...before, clearSince };
  return { ...before, state: 'UNKNOWN', overSince: null, clearSince: null };
}

function addVotes(before: TestState, { at, votes, bad, medianShare }: TestedMinute, panel: Panel): TestState {
  const { failing, votesAMinute: least } = PANELS[panel];
  const isUsual = before.sum === 0;
  const votesAMinute = isUsual ? before.votesAMinute * KEPT + votes * (1 - KEPT) : before.votesAMinute;
  const limit = limitOf(votesAMinute);
  const weights = weightsOf(medianShare, failing);
  // Too few votes begin nothing.
  const added = votesAMinute < least ? 0 : before.sum + bad * weights.bad + (votes - bad) * weights.good;
  const sum = Math.min(Math.max(added, 0), TEST.cap * limit);
  const isClear = votes === 0 || (sum === 0 && bad < TEST.clearShare * votes);
  return {
    ...{ state: before.state, sum, votesAMinute },
    risingSince: sum === 0 ? null : (before.risingSince ?? at - minutes(1)),
    overSince: sum < limit ? null : (before.overSince ?? at),
    clearSince: isClear ? (before.clearSince ?? at) : null,
  };
}

function stateOf({ state, overSince }: TestState, minute: TestedMinute, panel: Panel): DetectionState {
  const isOverFor = (ms: number): boolean => overSince !== null && minute.at - overSince >= ms;
  const isSuspected = isOverFor(TEST.suspectAfterMs) && minute.controlsAnswer === true;
  if (isSuspected && isWide(minute, panel)) return 'SUSPECTED';
  // Until a call counts again.
  if (state === 'UNKNOWN' && minute.votes === 0) return state;
  // Both last until the votes are clear.
  if (state === 'SUSPECTED' || state === 'WATCH') return state;
  return isOverFor(TEST.watchAfterMs) ? 'WATCH' : 'NORMAL';
}

/** Enough businesses and kinds of call fail: neither one advertiser nor one endpoint is an outage. */
function isWide({ window }: TestedMinute, panel: Panel): boolean {
  const { businesses, shareOfBusinesses } = PANELS[panel];
  const needed = Math.max(businesses, shareOfBusinesses * window.businesses);
  return window.failing >= needed && window.kinds >= TEST.kinds;
}
