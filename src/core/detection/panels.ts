import type { Instant } from '../time.ts';
import type { Panel } from './parameters.ts';
import { CONTROL_HOSTS, PANELS, PANEL_NAMES, TOKENS } from './parameters.ts';
import type { TestState } from './sequential-test.ts';
import { AT_START, afterSilence, nextTest } from './sequential-test.ts';
import type { BusinessVotes, CallKind, VotesOfMinute } from './votes.ts';
import { failingKinds, sumOfVotes } from './votes.ts';

/** What is remembered from minute to minute. */
export type Tests = Partial<Record<Panel, TestState>> & {
  /** The failing share of ordinary minutes, and when it was read. */
  usual?: { share: number; at: Instant };
};

/** Which calls fail, and since when: shown with the state. */
export interface CallEvidence {
  kinds: readonly CallKind[];
  /** Whose calls fail, of those that called in the last ten minutes. */
  businesses: number;
  ofBusinesses: number;
  since: Instant;
}

interface Given {
  /** The end of the minute. */
  at: Instant;
  /** Minutes without votes before it, which were not tested. */
  silent: number;
  medianShare: number;
  /** At least two other hosts are configured. */
  hasControls: boolean;
  /** The canary is configured; its token is refused, and was accepted a short time ago. */
  hasCanary: boolean;
  isCanaryRefused: boolean;
}

export interface PanelResult {
  test: TestState;
  /** Null: no call fails now; what was known before still holds. */
  evidence: CallEvidence | null;
}

/** Both tests after one more minute. */
export function testMinute(before: Tests, votes: VotesOfMinute, given: Given): Record<Panel, PanelResult> {
  const { window } = votes;
  const countTokens = refusesManyTokens(votes, given);
  const controls = controlsAnswer(votes, given);
  const calls: Seen = {
    businesses: window.businesses,
    failing: countTokens ? Math.max(window.failing, window.refused) : window.failing,
    kinds: failingKinds(window.calls, countTokens),
  };
  const canaryKinds = failingKinds(window.canaryCalls, countTokens);
  const canary = { businesses: 1, failing: canaryKinds.length > 0 ? 1 : 0, kinds: canaryKinds };
  const tested = (
    panel: Panel,
    one: readonly BusinessVotes[],
    seen: Seen,
    medianShare: number,
  ): PanelResult => {
    const minute = {
      ...{ at: given.at, medianShare, controlsAnswer: controls },
      ...sumOfVotes(one, countTokens),
      window: { ...seen, kinds: seen.kinds.length },
    };
    const test = nextTest(afterSilence(before[panel] ?? AT_START, given.silent), minute, panel);
    const isSeen = test.risingSince !== null && seen.kinds.length > 0;
    const evidence = { kinds: seen.kinds, businesses: seen.failing, ofBusinesses: seen.businesses };
    return { test, evidence: isSeen ? { ...evidence, since: test.risingSince ?? given.at } : null };
  };
  return {
    calls: tested('calls', votes.businesses, calls, given.medianShare),
    canary: given.hasCanary ? tested('canary', votes.canary, canary, 0) : { test: AT_START, evidence: null },
  };
}

interface Seen {
  businesses: number;
  failing: number;
  kinds: readonly CallKind[];
}

/** Nothing fails: a minute without votes changes nothing but how many votes are usual. */
export function isAtRest(tests: Tests): boolean {
  return PANEL_NAMES.every((panel) => {
    const { state, sum } = tests[panel] ?? AT_START;
    return state === 'NORMAL' && sum === 0;
  });
}

/** What is usual, and nothing that failed. */
export function atRest(tests: Tests): Tests {
  const one = (panel: Panel): TestState => ({
    ...AT_START,
    votesAMinute: tests[panel]?.votesAMinute ?? AT_START.votesAMinute,
  });
  return { ...tests, calls: one('calls'), canary: one('canary') };
}

/** Enough unrelated hosts can be asked. */
export function isControlled(urls: readonly { host: string }[]): boolean {
  return new Set(urls.map(({ host }) => host)).size >= CONTROL_HOSTS;
}

/** Tokens of many end together when their users came together: only beside the canary's it is the platform. */
function refusesManyTokens(
  { tokens: { businesses, refused } }: VotesOfMinute,
  { isCanaryRefused }: Given,
): boolean {
  return isCanaryRefused && refused >= PANELS.calls.businesses && refused > TOKENS.share * businesses;
}

/** False: the network of most calls fails; null: no hosts to ask. */
function controlsAnswer(
  { businesses, canary, saysNothing }: VotesOfMinute,
  { hasControls }: Given,
): boolean | null {
  const counted = [...businesses, ...canary].reduce((sum, { good, bad }) => sum + good + bad, 0);
  if (saysNothing > 0 && saysNothing >= counted) return false;
  return hasControls ? true : null;
}
