import type { Instant } from '../time.ts';
import type { Panel } from './parameters.ts';
import { PANELS, TOKENS } from './parameters.ts';
import type { TestState } from './sequential-test.ts';
import { AT_START, afterSilence, nextTest } from './sequential-test.ts';
import type { CallKind, VotesOfMinute } from './votes.ts';
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
}

export interface PanelResult {
  test: TestState;
  /** Null: nothing fails. */
  evidence: CallEvidence | null;
}

/** Both tests after one more minute. */
export function testMinute(before: Tests, votes: VotesOfMinute, given: Given): Record<Panel, PanelResult> {
  const { window } = votes;
  const { businesses, failing } = window;
  const [kinds, canaryKinds] = [failingKinds(window.calls), failingKinds(window.canaryCalls)];
  const countTokens = refusesManyTokens(votes);
  const common = {
    at: given.at,
    medianShare: given.medianShare,
    controlsAnswer: controlsAnswer(votes, given),
  };
  const tested = (
    panel: Panel,
    one: VotesOfMinute['businesses'],
    seen: { businesses: number; failing: number; kinds: readonly CallKind[] },
  ) => {
    const minute = {
      ...common,
      ...sumOfVotes(one, countTokens),
      window: { ...seen, kinds: seen.kinds.length },
    };
    const test = nextTest(afterSilence(before[panel] ?? AT_START, given.silent), minute, panel);
    const since = test.risingSince;
    const evidence = { kinds: seen.kinds, businesses: seen.failing, ofBusinesses: seen.businesses };
    return { test, evidence: since === null ? null : { ...evidence, since } };
  };
  const isCanaryFailing = canaryKinds.length > 0 ? 1 : 0;
  return {
    calls: tested('calls', votes.businesses, { businesses, failing, kinds }),
    canary: tested('canary', votes.canary, { businesses: 1, failing: isCanaryFailing, kinds: canaryKinds }),
  };
}

/** Nothing fails: a minute without votes changes nothing but how many votes are usual. */
export function isAtRest(tests: Tests): boolean {
  return PANEL_NAMES.every((panel) => {
    const { state, sum } = tests[panel] ?? AT_START;
    return state === 'NORMAL' && sum === 0;
  });
}

/** Tokens of many end together when their users came together: only beside the canary's it is the platform. */
function refusesManyTokens({ tokens }: VotesOfMinute): boolean {
  return tokens.canaryRefused && tokens.refused > TOKENS.share * tokens.businesses;
}

/** False: the network of most calls fails; null: no hosts to ask. */
function controlsAnswer({ businesses, saysNothing }: VotesOfMinute, { hasControls }: Given): boolean | null {
  const counted = businesses.reduce((sum, { good, bad }) => sum + good + bad, 0);
  if (saysNothing > 0 && saysNothing >= counted) return false;
  return hasControls ? true : null;
}

export const PANEL_NAMES = Object.keys(PANELS) as Panel[];
