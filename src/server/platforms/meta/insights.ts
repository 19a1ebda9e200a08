import { z } from 'zod';
import { WHOLE_UNITS } from '#core/money.ts';
import type { HourlySpend } from '#core/platform.ts';
import { unasked } from '#core/platform.ts';
import type { SpendReports } from '../platform.ts';
import type { GraphCall, GraphClient, GraphResponse } from './client.ts';
import type { PageSizes } from './page-sizes.ts';
import { readAllPages } from './paging.ts';
import { readInsightsUsage } from './usage.ts';

const HOURLY = 'hourly_stats_aggregated_by_advertiser_time_zone';
/** Meta's code for a report that would take it too long. */
const TOO_LARGE = '100/1487534';
const MADE = 'Job Completed';
const NOT_MADE = ['Job Failed', 'Job Skipped'];

const begun = z.object({ report_run_id: z.coerce.string().regex(/^\d+$/) });
const progress = z.object({ async_status: z.string(), async_percent_completion: z.number().catch(0) });
const number = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number)
  .or(z.number().nonnegative());
const row = z.object({
  /** Absent: of all campaigns together. */
  campaign_id: z.string().optional(),
  account_id: z.string(),
  account_currency: z.string(),
  spend: number,
  impressions: number,
  date_start: z.string(),
  date_stop: z.string(),
  /** '07:00:00 - 07:59:59'; some rows lack it. */
  [HOURLY]: z
    .string()
    .regex(/^([01]\d|2[0-3]):00:00 - /)
    .transform((text) => Number(text.slice(0, 2)))
    .optional(),
});
type Row = z.infer<typeof row>;

/** A failure of the insights says nothing about the rest of Meta's API. */
const countsForBreaker = (): boolean => false;

/** Hourly spend by asynchronous reports of Meta's ads insights, and the totals of a day at once. */
export function createSpendReports(graph: GraphClient, sizes: PageSizes): SpendReports {
  const send = async (accountId: string, call: GraphCall) => {
    const response = await graph.call({ ...call, countsForBreaker });
    return { response, usage: usageOf(accountId, response) };
  };
  const usageOf = (accountId: string, { headers }: GraphResponse) =>
    readInsightsUsage(headers, accountId, graph.now());
  const readRows = async (accountId: string, call: Omit<GraphCall, 'method'>, list: string | null) => {
    const kept = list === null ? null : { sizes, list };
    const { response, items, isPartial } = await readAllPages(graph, call, kept);
    const rows = isPartial ? failed('a report with gaps') : parsed(z.array(row), response, items);
    return { rows, usage: usageOf(accountId, response) };
  };
  return {
    async begin(token, accountId, day, campaignIds) {
      const params = {
        level: campaignIds === null ? 'account' : 'campaign',
        // A range of several days would sum the same hour of all of them.
        time_range: JSON.stringify({ since: day, until: day }),
        breakdowns: HOURLY,
        fields: `account_id,${campaignIds === null ? '' : 'campaign_id,'}account_currency,spend,impressions`,
        ...(campaignIds !== null && {
          filtering: JSON.stringify([{ field: 'campaign.id', operator: 'IN', value: campaignIds }]),
        }),
      };
      const call = { method: 'POST', path: `${accountId}/insights`, params, token } as const;
      const { response, usage } = await send(accountId, call);
      if (!response.ok && response.failure.code === TOO_LARGE) return { ok: true, value: null, usage };
      const report = parsed(begun, response);
      return report.ok ? { ok: true, value: report.value.report_run_id, usage } : { ...report, usage };
    },

    async read(token, accountId, day, reportId) {
      const params = { fields: 'async_status,async_percent_completion' };
      const { response, usage } = await send(accountId, { method: 'GET', path: reportId, params, token });
      const report = parsed(progress, response);
      if (!report.ok) return { ...report, usage };
      const { async_status: status, async_percent_completion: percent } = report.value;
      if (NOT_MADE.includes(status)) return { ok: true, value: 'FAILED', usage };
      if (status !== MADE || percent < 100) return { ok: true, value: 'PENDING', usage };
      const call = { path: `${reportId}/insights`, token, countsForBreaker };
      const { rows, usage: last } = await readRows(accountId, call, `${accountId}/insights`);
      const spend = rows.ok ? spendOf(rows.value, day) : rows;
      return { ...spend, usage: last ?? usage };
    },

    async readDay(token, accountId, day) {
      const params = {
        level: 'campaign',
        time_range: JSON.stringify({ since: day, until: day }),
        fields: 'account_id,campaign_id,account_currency,spend,impressions',
      };
      const call = { path: `${accountId}/insights`, params, token, countsForBreaker };
      // Not repeated with smaller pages: many fail in an outage.
      const { rows, usage } = await readRows(accountId, call, null);
      return { ...(rows.ok ? totalsOf(rows.value, day) : rows), usage };
    },
  };
}

function parsed<T>(schema: z.ZodType<T>, response: GraphResponse, value?: unknown) {
  if (!response.ok) return { ok: false as const, failure: response.failure };
  const { data } = schema.safeParse(value ?? response.value);
  return data === undefined ? failed('a report that cannot be read') : { ok: true as const, value: data };
}

function failed(message: string) {
  return { ok: false as const, failure: unasked(message) };
}

/** A row without its hour is left out: what it sums is not known. */
function spendOf(rows: readonly Row[], day: string) {
  const found = new Map<string, { spend: number[]; impressions: number[] }>();
  for (const { account_id, campaign_id, account_currency: currency, [HOURLY]: hour, ...one } of rows) {
    const id = campaign_id ?? `act_${account_id}`;
    if (one.date_start !== day || one.date_stop !== day) return failed('a report of another day');
    if (hour === undefined) continue;
    const unit = unitOf(currency);
    const { spend, impressions } = found.get(id) ?? { spend: hoursOf(), impressions: hoursOf() };
    spend[hour] = (spend[hour] ?? 0) + Math.round(one.spend * unit);
    impressions[hour] = (impressions[hour] ?? 0) + Math.round(one.impressions);
    found.set(id, { spend, impressions });
  }
  if (rows.length > 0 && found.size === 0) return failed('a report without hours');
  return { ok: true as const, value: found satisfies Map<string, HourlySpend> };
}

function totalsOf(rows: readonly Row[], day: string) {
  if (rows.some((one) => one.date_start !== day || one.date_stop !== day))
    return failed('a report of another day');
  const value = Object.fromEntries(
    rows.flatMap(({ campaign_id: id, account_currency: currency, spend, impressions }) =>
      id === undefined
        ? []
        : [[id, [Math.round(spend * unitOf(currency)), Math.round(impressions)] as const] as const],
    ),
  );
  return { ok: true as const, value };
}

function unitOf(currency: string): number {
  return WHOLE_UNITS.has(currency) ? 1 : 100;
}

function hoursOf(): number[] {
  return Array.from({ length: 24 }, () => 0);
}
