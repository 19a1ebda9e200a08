import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';

export const TIERS = ['development_access', 'standard_access', 'off'] as const;
export type Tier = (typeof TIERS)[number];

interface Use {
  points: number;
  at: number;
  blockedUntil: number;
  second: { start: number; writes: number };
  hour: { start: number; calls: number };
}

interface Call {
  account: string;
  kind: 'read' | 'write';
  activeAds: number;
  now: number;
}

const NUMBERS = {
  development_access: { max: 60, decayMs: 300_000, blockMs: 300_000, callsPerHour: 300 },
  standard_access: { max: 9000, decayMs: 300_000, blockMs: 60_000, callsPerHour: 100_000 },
};
const CALLS_PER_HOUR_AND_AD = 40;
const POINTS = { read: 1, write: 3 };
const WRITES_PER_SECOND = 100;
const HOUR_MS = 3_600_000;

/**
 * The independent limits of an ad account: a score that decays, calls per hour (more with more ads),
 * and writes per second.
 */
export class Limits {
  tier: Tier = 'standard_access';
  /** Rejected calls since the tier was set. */
  refused = 0;
  #uses = new Map<string, Use>();

  reset(): void {
    this.tier = 'standard_access';
    this.refused = 0;
    this.#uses.clear();
  }

  /** Resets all usage. */
  setTier(tier: Tier): void {
    this.reset();
    this.tier = tier;
  }

  /** Counts one call. Null: accepted. Further calls during a block extend the block. */
  count(call: Call): GraphAnswer | null {
    const refusal = this.#check(call);
    if (refusal !== null) this.refused += 1;
    return refusal;
  }

  #check(call: Call): GraphAnswer | null {
    if (this.tier === 'off') return null;
    const { max, blockMs, callsPerHour } = NUMBERS[this.tier];
    const use = this.#use(call.account, call.now);
    if (use.blockedUntil > call.now) {
      use.blockedUntil = call.now + blockMs;
      return graphError({ code: 17, subcode: 2446079 });
    }
    if (call.kind === 'write') use.second.writes += 1;
    if (call.kind === 'write' && use.second.writes > WRITES_PER_SECOND)
      return graphError({ code: 613, subcode: 5044001 });
    use.hour.calls += 1;
    if (use.hour.calls > callsPerHour + CALLS_PER_HOUR_AND_AD * call.activeAds)
      return graphError({ code: 80004, subcode: 2446079 });
    if (use.points + POINTS[call.kind] > max) {
      use.blockedUntil = call.now + blockMs;
      return graphError({ code: 17, subcode: 2446079 });
    }
    use.points += POINTS[call.kind];
    return null;
  }

  headers(call: { account: string | null; activeAds: number; now: number }): Record<string, string> {
    const app = { 'x-app-usage': JSON.stringify({ call_count: 1, total_time: 1, total_cputime: 1 }) };
    if (call.account === null || this.tier === 'off') return app;
    const { max, decayMs, callsPerHour } = NUMBERS[this.tier];
    const use = this.#use(call.account, call.now);
    const blockedMs = Math.max(0, use.blockedUntil - call.now);
    const hourly = callsPerHour + CALLS_PER_HOUR_AND_AD * call.activeAds;
    const isOverHour = use.hour.calls > hourly;
    const regainMs = Math.max(blockedMs, isOverHour ? use.hour.start + HOUR_MS - call.now : 0);
    return {
      ...app,
      'x-ad-account-usage': JSON.stringify({
        acc_id_util_pct: percentOf(use.points, max),
        reset_time_duration: Math.ceil(Math.max(blockedMs, (decayMs * use.points) / max) / 1000),
        ads_api_access_tier: this.tier,
      }),
      'x-business-use-case-usage': JSON.stringify({
        [call.account.replace('act_', '')]: [
          {
            type: 'ads_management',
            call_count: Math.round(percentOf(use.hour.calls, hourly)),
            total_cputime: 1,
            total_time: 1,
            estimated_time_to_regain_access: Math.ceil(regainMs / 60_000),
            ads_api_access_tier: this.tier,
          },
        ],
      }),
    };
  }

  /** Current usage: points have decayed, and a new second or hour starts at 0. */
  #use(account: string, now: number): Use {
    const use: Use = this.#uses.get(account) ?? {
      points: 0,
      at: now,
      blockedUntil: 0,
      second: { start: now, writes: 0 },
      hour: { start: now, calls: 0 },
    };
    this.#uses.set(account, use);
    const { max, decayMs } = NUMBERS[this.tier === 'off' ? 'standard_access' : this.tier];
    use.points = Math.max(0, use.points - (Math.max(0, now - use.at) / decayMs) * max);
    use.at = now;
    if (isOver(use.second.start, 1000, now)) use.second = { start: now, writes: 0 };
    if (isOver(use.hour.start, HOUR_MS, now)) use.hour = { start: now, calls: 0 };
    return use;
  }
}

/** True also when the clock was set back. */
function isOver(start: number, lengthMs: number, now: number): boolean {
  return now - start >= lengthMs || now < start;
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}
