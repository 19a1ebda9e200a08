import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';

export const TIERS = ['development_access', 'standard_access', 'off'] as const;
export type Tier = (typeof TIERS)[number];

const SCORES = {
  development_access: { max: 60, blockMs: 300_000 },
  standard_access: { max: 9000, blockMs: 60_000 },
};
const DECAY_MS = 300_000;
const SERVED = { limitedUntil: 0, usage: null as number | null, blocked: false };
/** Calls of the ads insights in an hour, without those for active ads. */
const INSIGHTS = { development_access: 600, standard_access: 190_000 };
const PER_ACTIVE_AD = 400;
const HOUR_MS = 60 * 60_000;
const POINTS = { read: 1, write: 3 };

/** The score of each ad account: it decays, and blocks the account for a while when it is full. */
export class Limits {
  tier: Tier = 'standard_access';
  /** Of the whole app: a limit until then, the reported usage in percent (null: not reported), and a block. */
  app = { ...SERVED };
  #insights = new Map<string, { calls: number; at: number }>();
  #uses = new Map<string, { points: number; at: number; blockedUntil: number }>();

  /** Resets all usage. */
  setTier(tier: Tier): void {
    this.tier = tier;
    this.app = { ...SERVED };
    this.#uses.clear();
    this.#insights.clear();
  }

  /** What every call gets, before anything else is looked at. */
  ofApp(now: number): { refused: GraphAnswer | null; headers: Record<string, string> } {
    const { limitedUntil, usage, blocked } = this.app;
    const report = { call_count: usage, total_time: 20, total_cputime: 25 };
    const error = blocked ? { code: 200, message: 'API access blocked.', http: 400 } : { code: 4 };
    return {
      refused: blocked || now < limitedUntil ? graphError(error) : null,
      headers: usage === null ? {} : { 'x-app-usage': JSON.stringify(report) },
    };
  }

  /** Counts one call. `refused`: null if accepted. Further calls during a block extend the block. */
  count(
    account: string,
    kind: 'read' | 'write',
    now: number,
  ): { refused: GraphAnswer | null; headers: Record<string, string> } {
    if (this.tier === 'off') return { refused: null, headers: {} };
    const { max, blockMs } = SCORES[this.tier];
    const use = this.#uses.get(account) ?? { points: 0, at: now, blockedUntil: 0 };
    this.#uses.set(account, use);
    use.points = Math.max(0, use.points - (Math.max(0, now - use.at) / DECAY_MS) * max);
    use.at = now;
    const isRefused = use.blockedUntil > now || use.points + POINTS[kind] > max;
    if (isRefused) use.blockedUntil = now + blockMs;
    else use.points += POINTS[kind];
    const percent = Math.round((use.points / max) * 10_000) / 100;
    const blockedMs = Math.max(0, use.blockedUntil - now);
    const tier = { ads_api_access_tier: this.tier };
    const own = {
      acc_id_util_pct: percent,
      reset_time_duration: Math.ceil(Math.max(blockedMs, (DECAY_MS * use.points) / max) / 1000),
      ...tier,
    };
    const business = {
      ...{ type: 'ads_management', call_count: Math.round(percent), total_cputime: 1, total_time: 1 },
      ...{ estimated_time_to_regain_access: Math.ceil(blockedMs / 60_000), ...tier },
    };
    return {
      refused: isRefused ? graphError({ code: 17, subcode: 2446079 }) : null,
      headers: {
        'x-ad-account-usage': JSON.stringify(own),
        'x-business-use-case-usage': JSON.stringify({ [account.replace('act_', '')]: [business] }),
      },
    };
  }

  /** A call of the ads insights counts in an hour of its own. */
  countInsights(
    account: string,
    activeAds: number,
    now: number,
  ): { refused: GraphAnswer | null; headers: Record<string, string> } {
    if (this.tier === 'off') return { refused: null, headers: {} };
    const max = INSIGHTS[this.tier] + PER_ACTIVE_AD * activeAds;
    const use = this.#insights.get(account) ?? { calls: 0, at: now };
    this.#insights.set(account, use);
    use.calls = Math.max(0, use.calls - (Math.max(0, now - use.at) / HOUR_MS) * max) + 1;
    use.at = now;
    const isRefused = use.calls > max;
    const percent = Math.round((use.calls / max) * 10_000) / 100;
    const tier = { ads_api_access_tier: this.tier };
    const regainMs = isRefused ? ((use.calls - max) / max) * HOUR_MS : 0;
    const business = {
      ...{ type: 'ads_insights', call_count: Math.round(percent), total_cputime: 1, total_time: 1 },
      ...{ estimated_time_to_regain_access: Math.ceil(regainMs / 60_000), ...tier },
    };
    return {
      refused: isRefused ? graphError({ code: 80_000, subcode: 2446079 }) : null,
      headers: {
        'x-fb-ads-insights-throttle': JSON.stringify({
          app_id_util_pct: 0,
          acc_id_util_pct: percent,
          ...tier,
        }),
        'x-business-use-case-usage': JSON.stringify({ [account.replace('act_', '')]: [business] }),
      },
    };
  }
}
