import { z } from 'zod';
import type { Usage } from '#core/platform-usage.ts';
import { TIERS } from '#core/platform-usage.ts';
import type { Instant } from '#core/time.ts';
import { minutes, seconds } from '#core/time.ts';
import { parseJson } from './client.ts';

const percent = z.number().nonnegative().catch(0);
const tier = z.enum(TIERS).optional().catch(undefined);
const accountUsage = z.object({
  acc_id_util_pct: percent,
  reset_time_duration: z.number().nonnegative().catch(0),
  ads_api_access_tier: tier,
});
const appUsage = z.object({
  call_count: percent,
  total_cputime: percent,
  total_time: percent,
  /** In minutes. */
  estimated_time_to_regain_access: z.number().nonnegative().catch(0),
});
const insightsThrottle = z.object({
  app_id_util_pct: percent,
  acc_id_util_pct: percent,
  ads_api_access_tier: tier,
});
const INSIGHTS = 'ads_insights';
const businessUsage = z.record(
  z.string(),
  z.array(appUsage.extend({ type: z.string(), ads_api_access_tier: tier })),
);

/**
 * Parses the platform's usage headers for one ad account (`act_…`). Null: absent or invalid.
 * Absence does not mean that nothing is used.
 */
export function readUsage(headers: Record<string, string>, accountId: string, now: Instant): Usage | null {
  const account = parse(accountUsage, headers['x-ad-account-usage']);
  const entries = entriesOf(headers, accountId, 'ads_management');
  if (account === null && entries.length === 0) return null;
  const regainIn = Math.max(0, ...entries.map((entry) => entry.estimated_time_to_regain_access));
  const ofBusiness = entries.flatMap((entry) => [entry.call_count, entry.total_cputime, entry.total_time]);
  const ofAccount = account?.acc_id_util_pct ?? 0;
  const mostUsed = Math.max(ofAccount, ...ofBusiness);
  const tiers = [account, ...entries].flatMap((report) => report?.ads_api_access_tier ?? []);
  return {
    tier: tiers[0] ?? null,
    percent: mostUsed,
    regainAt: regainIn > 0 ? now + minutes(regainIn) : null,
    // It refers to the account's own score only, and is useless when another limit is closer.
    resetAt:
      account !== null && account.reset_time_duration > 0 && ofAccount === mostUsed
        ? now + seconds(account.reset_time_duration)
        : null,
    at: now,
  };
}

/** Of the ads insights, which Meta counts apart. Null: absent or invalid. */
export function readInsightsUsage(
  headers: Record<string, string>,
  accountId: string,
  now: Instant,
): Usage | null {
  const throttle = parse(insightsThrottle, headers['x-fb-ads-insights-throttle']);
  const entries = entriesOf(headers, accountId, INSIGHTS);
  if (throttle === null && entries.length === 0) return null;
  const regainIn = Math.max(0, ...entries.map((entry) => entry.estimated_time_to_regain_access));
  const used = entries.flatMap((entry) => [entry.call_count, entry.total_cputime, entry.total_time]);
  return {
    tier: throttle?.ads_api_access_tier ?? entries[0]?.ads_api_access_tier ?? null,
    percent: Math.max(throttle?.acc_id_util_pct ?? 0, throttle?.app_id_util_pct ?? 0, ...used),
    regainAt: regainIn > 0 ? now + minutes(regainIn) : null,
    resetAt: null,
    at: now,
  };
}

function entriesOf(headers: Record<string, string>, accountId: string, wanted: string) {
  const business = parse(businessUsage, headers['x-business-use-case-usage']);
  return (business?.[accountId.replace('act_', '')] ?? []).filter(({ type }) => type === wanted);
}

/**
 * How much of the app's limit is used, in percent (null: Meta does not say), and for how long Meta refuses calls, which
 * it may state in either header.
 */
export function readAppUsage(headers: Record<string, string>): { percent: number | null; regainMs: number } {
  const app = parse(appUsage, headers['x-app-usage']);
  const all = Object.values(parse(businessUsage, headers['x-business-use-case-usage']) ?? {}).flat();
  const business = all.filter(({ type }) => type !== INSIGHTS);
  const waits = [app, ...business].map((report) => report?.estimated_time_to_regain_access ?? 0);
  return {
    percent: app && Math.max(app.call_count, app.total_cputime, app.total_time),
    regainMs: minutes(Math.max(...waits)),
  };
}

function parse<T>(schema: z.ZodType<T>, header: string | undefined): T | null {
  return header === undefined ? null : (schema.safeParse(parseJson(header)).data ?? null);
}
