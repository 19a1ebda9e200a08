import type { PanelResult, Tests } from '../../src/core/detection/panels.ts';
import { isAtRest, testMinute } from '../../src/core/detection/panels.ts';
import type { Panel } from '../../src/core/detection/parameters.ts';
import { WINDOW_MS } from '../../src/core/detection/parameters.ts';
import { AT_START } from '../../src/core/detection/sequential-test.ts';
import type { BusinessVotes, CallCounts, CallKind, VotesOfMinute } from '../../src/core/detection/votes.ts';
import { CALL_KINDS } from '../../src/core/detection/votes.ts';
import { minutes } from '../../src/core/time.ts';
import type { Random } from '../fixtures/random.ts';

/** An installation of this size. Assumed: each business's ad accounts are called once in ten minutes. */
export interface Fleet {
  businesses: number;
  hasCanary: boolean;
}

const CALLED_A_MINUTE = 0.1;
/** Assumed: of ordinary calls, after their second try. */
export const USUALLY_FAILING = 0.001;

export function votesAMinute({ businesses }: Fleet): number {
  return businesses * CALLED_A_MINUTE;
}

/** What happens to calls in a minute. */
export interface Trouble {
  /** Of the calls of these kinds. */
  share: number;
  kinds: readonly CallKind[];
  /** Our own network: other hosts don't answer either. */
  isOurs?: boolean;
  /** Their tokens are refused, and not the canary's. */
  refusesTokens?: boolean;
}

const NONE: Trouble = { share: 0, kinds: [] };
/** Of an ordinary business: mostly lists of campaigns. */
const KINDS: readonly CallKind[] = ['campaigns', 'campaigns', 'campaigns', 'spend', 'log', 'writes'];
const CANARY_KINDS: readonly CallKind[] = ['campaigns', 'spend', 'writes'];
const SEEN_MINUTES = WINDOW_MS / minutes(1);

interface Seen {
  called: Set<string>;
  failed: Set<string>;
  calls: Required<CallCounts>;
  canaryCalls: Required<CallCounts>;
}

const noCalls = (): Required<CallCounts> => ({
  campaigns: { good: 0, bad: 0, token: 0 },
  log: { good: 0, bad: 0, token: 0 },
  writes: { good: 0, bad: 0, token: 0 },
  spend: { good: 0, bad: 0, token: 0 },
});

/** How many different ones the minutes of a window have. */
class Distinct {
  readonly #minutes = new Map<string, number>();

  /** @returns their number after one minute more and one less */
  follow(now: ReadonlySet<string>, before: ReadonlySet<string> = new Set()): number {
    for (const one of now) this.#minutes.set(one, (this.#minutes.get(one) ?? 0) + 1);
    for (const one of before) {
      const left = (this.#minutes.get(one) ?? 0) - 1;
      if (left > 0) this.#minutes.set(one, left);
      else this.#minutes.delete(one);
    }
    return this.#minutes.size;
  }
}

/** Plays minutes of an installation, one after the other. */
export class PlayedFleet {
  readonly #fleet: Fleet;
  readonly #random: Random;
  #tests: Tests;
  readonly #seen: Seen[] = [];
  readonly #distinct = { called: new Distinct(), failed: new Distinct() };

  constructor(fleet: Fleet, random: Random) {
    this.#fleet = fleet;
    this.#random = random;
    this.#tests = { calls: { ...AT_START, votesAMinute: votesAMinute(fleet) } };
  }

  isAtRest(): boolean {
    return isAtRest(this.#tests);
  }

  /** @param at the end of the minute */
  minute(at: number, trouble: Trouble = NONE): Record<Panel, PanelResult> {
    const votes = this.#votesOf(trouble);
    const results = testMinute(this.#tests, votes, {
      at,
      silent: 0,
      medianShare: 0,
      hasControls: true,
      hasCanary: this.#fleet.hasCanary,
      isCanaryRefused: false,
    });
    this.#tests = { calls: results.calls.test, canary: results.canary.test };
    return results;
  }

  #votesOf(trouble: Trouble): VotesOfMinute {
    const now: Seen = { called: new Set(), failed: new Set(), calls: noCalls(), canaryCalls: noCalls() };
    const businesses = this.#callers().map((business) => this.#call(business, KINDS, trouble, now));
    const canary = this.#fleet.hasCanary
      ? CANARY_KINDS.map((kind) => this.#callCanary(kind, trouble, now))
      : [];
    if (trouble.isOurs === true) {
      const window = { businesses: 0, failing: 0, refused: 0, calls: {}, canaryCalls: {} };
      const tokens = { businesses: 0, refused: 0 };
      return { businesses: [], canary: [], window, tokens, saysNothing: businesses.length + canary.length };
    }
    this.#seen.push(now);
    const before = this.#seen.length > SEEN_MINUTES ? this.#seen.shift() : undefined;
    const all = (key: 'called' | 'failed') => this.#distinct[key].follow(now[key], before?.[key]);
    const calls = (key: 'calls' | 'canaryCalls') => {
      const sum = noCalls();
      for (const one of this.#seen)
        for (const kind of CALL_KINDS) {
          sum[kind].good += one[key][kind].good;
          sum[kind].bad += one[key][kind].bad;
        }
      return sum;
    };
    return {
      businesses,
      canary,
      window: {
        businesses: all('called'),
        failing: all('failed'),
        refused: 0,
        calls: calls('calls'),
        canaryCalls: calls('canaryCalls'),
      },
      tokens: {
        businesses: businesses.length,
        refused: businesses.filter(({ token }) => token > 0).length,
      },
      saysNothing: 0,
    };
  }

  #callers(): string[] {
    const mean = votesAMinute(this.#fleet);
    const count = Math.floor(mean) + (this.#random.chance(mean % 1) ? 1 : 0);
    return Array.from({ length: count }, () => String(this.#random.whole(1, this.#fleet.businesses)));
  }

  #call(business: string, kinds: readonly CallKind[], trouble: Trouble, now: Seen): BusinessVotes {
    const kind = this.#random.pick(kinds);
    now.called.add(business);
    const { refusesTokens = false } = trouble;
    const share = trouble.kinds.includes(kind) ? trouble.share : 0;
    if (refusesTokens && this.#random.chance(share)) return { business, good: 0, bad: 0, token: 1 };
    const fails = this.#random.chance(refusesTokens ? USUALLY_FAILING : Math.max(share, USUALLY_FAILING));
    now.calls[kind][fails ? 'bad' : 'good']++;
    if (!fails) return { business, good: 1, bad: 0, token: 0 };
    now.failed.add(business);
    return { business, good: 0, bad: 1, token: 0 };
  }

  #callCanary(kind: CallKind, trouble: Trouble, now: Seen): BusinessVotes {
    const share = trouble.kinds.includes(kind) && trouble.refusesTokens !== true ? trouble.share : 0;
    const fails = this.#random.chance(Math.max(share, USUALLY_FAILING));
    now.canaryCalls[kind][fails ? 'bad' : 'good']++;
    return { business: kind, good: fails ? 0 : 1, bad: fails ? 1 : 0, token: 0 };
  }
}
