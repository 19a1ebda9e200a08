import type { PlatformFailure } from '../platform.ts';
import { TEST } from './parameters.ts';

/** Kinds of call to the platform for one ad account. */
export const CALL_KINDS = ['campaigns', 'log', 'writes', 'spend'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export type Vote = 'good' | 'bad' | 'token';

/**
 * What a call says about the platform; null: nothing. Limits, missing permissions and refused contents are not its faults.
 * @param failure null: the call succeeded
 */
export function voteOf(failure: Pick<PlatformFailure, 'kind'> | null): Vote | null {
  if (failure === null) return 'good';
  if (failure.kind === 'transient') return 'bad';
  return failure.kind === 'token_invalid' ? 'token' : null;
}

/** Of one business in one minute. */
export interface BusinessVotes {
  business: string;
  good: number;
  bad: number;
  token: number;
}

/** Calls by kind. */
export type CallCounts = Partial<Record<CallKind, Record<'good' | 'bad' | 'token', number>>>;

/** Of all processes in one minute, and in the ten that end with it. */
export interface VotesOfMinute {
  /** Without the canary. */
  businesses: BusinessVotes[];
  /** The canary's, by kind of call. */
  canary: BusinessVotes[];
  window: {
    businesses: number;
    /** With a failed call; `refused`: with a refused token. */
    failing: number;
    refused: number;
    calls: CallCounts;
    canaryCalls: CallCounts;
  };
  /** In the five minutes that end with it. */
  tokens: { businesses: number; refused: number };
  /** Calls of processes that no other host answered. */
  saysNothing: number;
}

/** The kinds of which so many calls fail: a single failure among many is none. */
export function failingKinds(calls: CallCounts, countTokens: boolean): CallKind[] {
  return CALL_KINDS.filter((kind) => {
    const { good = 0, bad = 0, token = 0 } = calls[kind] ?? {};
    const failed = bad + (countTokens ? token : 0);
    return failed > 0 && failed >= TEST.kindShare * (good + failed);
  });
}

/** The votes of a minute: one of each business, in the share of its calls that failed. */
export interface MinuteVotes {
  votes: number;
  bad: number;
}

/** @param countTokens refused tokens count as bad */
export function sumOfVotes(businesses: readonly BusinessVotes[], countTokens: boolean): MinuteVotes {
  let votes = 0;
  let bad = 0;
  for (const { good, bad: failed, token } of businesses) {
    const counted = failed + (countTokens ? token : 0);
    if (good + counted === 0) continue;
    votes += 1;
    bad += counted / (good + counted);
  }
  return { votes, bad };
}
