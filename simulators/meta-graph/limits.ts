import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';

export type Tier = 'development_access' | 'standard_access' | 'off';

interface Score {
  points: number;
  at: number;
  blockedUntil: number;
  writesThisSecond: { second: number; count: number };
}

const NUMBERS = {
  development_access: { max: 60, decayMs: 300_000, blockMs: 300_000 },
  standard_access: { max: 9000, decayMs: 300_000, blockMs: 60_000 },
};
const READ = 1;
const WRITE = 3;
const WRITES_PER_SECOND = 100;

/** The limits of an ad account: a score that decays, and a cap on writes in one second. */
export class Limits {
  tier: Tier = 'standard_access';
  #scores = new Map<string, Score>();

  reset(): void {
    this.tier = 'standard_access';
    this.#scores.clear();
  }

  /** Counts one call. Null when it may go through. Calling on while blocked makes the block longer. */
  count(account: string, kind: 'read' | 'write', now: number): GraphAnswer | null {
    if (this.tier === 'off') return null;
    const { max, blockMs } = NUMBERS[this.tier];
    const score = this.#score(account, now);
    if (score.blockedUntil > now) {
      score.blockedUntil = now + blockMs;
      return graphError({ code: 17, subcode: 2446079 });
    }
    if (kind === 'write' && this.#isTooQuick(score, now)) return graphError({ code: 613, subcode: 5044001 });
    score.points += kind === 'read' ? READ : WRITE;
    if (score.points <= max) return null;
    score.blockedUntil = now + blockMs;
    return graphError({ code: 80004, subcode: 2446079 });
  }

  headers(account: string | null, now: number): Record<string, string> {
    const app = { 'x-app-usage': JSON.stringify({ call_count: 1, total_time: 1, total_cputime: 1 }) };
    if (account === null || this.tier === 'off') return app;
    const { max, decayMs } = NUMBERS[this.tier];
    const score = this.#score(account, now);
    const percent = Math.round((score.points / max) * 10_000) / 100;
    const blockedMs = Math.max(0, score.blockedUntil - now);
    return {
      ...app,
      'x-ad-account-usage': JSON.stringify({
        acc_id_util_pct: percent,
        reset_time_duration: Math.ceil(Math.max(blockedMs, (decayMs * score.points) / max) / 1000),
        ads_api_access_tier: this.tier,
      }),
      'x-business-use-case-usage': JSON.stringify({
        [account.replace('act_', '')]: [
          {
            type: 'ads_management',
            call_count: Math.min(100, Math.round(percent)),
            total_cputime: 1,
            total_time: 1,
            estimated_time_to_regain_access: Math.ceil(blockedMs / 60_000),
            ads_api_access_tier: this.tier,
          },
        ],
      }),
    };
  }

  #score(account: string, now: number): Score {
    const fresh: Score = { points: 0, at: now, blockedUntil: 0, writesThisSecond: { second: 0, count: 0 } };
    const score = this.#scores.get(account) ?? fresh;
    this.#scores.set(account, score);
    const { max, decayMs } = NUMBERS[this.tier === 'off' ? 'standard_access' : this.tier];
    score.points = Math.max(0, score.points - ((now - score.at) / decayMs) * max);
    score.at = now;
    return score;
  }

  #isTooQuick(score: Score, now: number): boolean {
    const second = Math.floor(now / 1000);
    if (score.writesThisSecond.second !== second) score.writesThisSecond = { second, count: 0 };
    score.writesThisSecond.count += 1;
    return score.writesThisSecond.count > WRITES_PER_SECOND;
  }
}
