import { z } from 'zod';
import { parseJson } from '../kit/http.ts';
import type { Delivered } from './delivery.ts';
import { daysOf, decimalsOf, deliveredOn } from './delivery.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Params } from './login.ts';
import type { AskedReport, Campaign, GraphState, Report } from './state.ts';
import { now } from './state.ts';

const HOURLY = 'hourly_stats_aggregated_by_advertiser_time_zone';
/** What every row has besides the fields that are asked for. The address of a next page asks for them, too. */
export const OF_EVERY_ROW = ['date_start', 'date_stop', HOURLY];
const FIELDS = [
  ...OF_EVERY_ROW,
  'account_id',
  'account_currency',
  'campaign_id',
  'campaign_name',
  'spend',
  'impressions',
  'cpm',
];
/** Meta's message for a request that would take it too long. */
export const TOO_LARGE = {
  code: 100,
  subcode: 1487534,
  message: 'Please reduce the amount of data you’re asking for.',
};

const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const fromText = z.string().transform(parseJson);
/** Also one breakdown alone, as its name or in a list. */
const breakdowns = z.string().transform((text) => [parseJson(text) ?? text].flat());
const asked = z.object({
  level: z.enum(['campaign', 'account']),
  fields: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(FIELDS))),
  time_range: fromText.pipe(z.object({ since: date, until: date })),
  breakdowns: breakdowns.pipe(z.array(z.literal(HOURLY)).max(1)).default([]),
  filtering: fromText
    .pipe(
      z.array(
        z.object({
          field: z.literal('campaign.id'),
          operator: z.enum(['IN', 'EQUAL']),
          value: z.array(z.string()).or(z.string()),
        }),
      ),
    )
    .default([]),
});

/** The report that is asked for, or Meta's refusal. */
export function readAsked(state: GraphState, account: string, params: Params): AskedReport | GraphAnswer {
  const parsed = asked.safeParse(Object.fromEntries(params));
  if (!parsed.success) return graphError({ code: 100, message: `(#100) ${z.prettifyError(parsed.error)}` });
  const {
    time_range,
    breakdowns: { length: isHourly },
  } = parsed.data;
  const things = parsed.data.level === 'account' ? 1 : campaignsOf(state, account, parsed.data).length;
  const cells = things * daysOf(time_range).length * (isHourly ? 24 : 1);
  return cells > state.largestReport ? graphError(TOO_LARGE) : parsed.data;
}

function campaignsOf(state: GraphState, account: string, { filtering }: AskedReport) {
  const isShown = (id: string): boolean => filtering.every(({ value }) => [value].flat().includes(id));
  const all = (state.accounts.get(account)?.campaigns ?? []).flatMap((id) => state.campaigns.get(id) ?? []);
  // Without a filter for it, Meta leaves these out.
  return all.filter(({ id, status }) => isShown(id) && status !== 'ARCHIVED' && status !== 'DELETED');
}

/** A range of several days sums the same hour over all of them. There is no row without delivery. */
export function rowsOf(state: GraphState, account: string, report: AskedReport): { id: string }[] {
  const { currency = '' } = state.accounts.get(account) ?? {};
  const {
    time_range: range,
    breakdowns: { length: isHourly },
  } = report;
  const ofCampaign = (campaign: Campaign) =>
    addHours(daysOf(range).map((day) => deliveredOn(state, campaign, day)));
  const campaigns = campaignsOf(state, account, report);
  const all =
    report.level === 'account'
      ? [{ id: account, names: {}, hours: addHours(campaigns.map(ofCampaign)) }]
      : campaigns.map((campaign) => ({
          ...{ id: campaign.id, names: { campaign_id: campaign.id, campaign_name: campaign.name } },
          hours: ofCampaign(campaign),
        }));
  return all.flatMap(({ id, names, hours }) => {
    const shown = isHourly ? hours : [hours.reduce(plus)];
    return shown.flatMap(({ spend, impressions }, hour) => {
      if (impressions === 0 && spend === 0) return [];
      const row = {
        ...{ account_id: account.replace('act_', ''), account_currency: currency },
        ...names,
        spend: spend.toFixed(decimalsOf(currency)),
        impressions: String(impressions),
        cpm: impressions === 0 ? '0' : String((spend / impressions) * 1000),
      };
      const wanted = Object.entries(row).filter(([field]) => report.fields.includes(field));
      return {
        ...{ id: `${id} ${hour}`, ...Object.fromEntries(wanted) },
        ...{ date_start: range.since, date_stop: range.until },
        ...(isHourly && { [HOURLY]: nameOfHour(hour) }),
      };
    });
  });
}

function plus(one: Delivered, other: Delivered = { spend: 0, impressions: 0 }): Delivered {
  return { spend: one.spend + other.spend, impressions: one.impressions + other.impressions };
}

function addHours(all: readonly (readonly Delivered[])[]): Delivered[] {
  const none = Array.from({ length: 24 }, () => ({ spend: 0, impressions: 0 }));
  return all.reduce<Delivered[]>((sum, day) => sum.map((one, hour) => plus(one, day[hour])), none);
}

/** '07:00:00 - 07:59:59' */
function nameOfHour(hour: number): string {
  const two = String(hour).padStart(2, '0');
  return `${two}:00:00 - ${two}:59:59`;
}

/** POST /{account}/insights: Meta makes the report after its answer. */
export function beginReport(state: GraphState, account: string, given: AskedReport): GraphAnswer {
  const id = String(6_000_000_000_000_000 + state.reports.size);
  state.reports.set(id, {
    id,
    account,
    asked: given,
    readyAt: now(state) + state.reportMs,
    end: 'Job Completed',
  });
  return { status: 200, body: { report_run_id: id } };
}

export function isMade(state: GraphState, { readyAt, end }: Report): boolean {
  return now(state) >= readyAt && end === 'Job Completed';
}

/** To a read of a report that Meta has not made. */
export const NOT_MADE = graphError({
  code: 2601,
  subcode: 1815107,
  message: 'Error accessing adreport job.',
});

/** GET /{report} */
export function describeReport(state: GraphState, { id, account, readyAt, end }: Report): GraphAnswer {
  const left = readyAt - now(state);
  const percent = left <= 0 ? 100 : Math.max(0, 99 - Math.ceil(left / 1000));
  const status = left > 0 ? (percent === 0 ? 'Job Not Started' : 'Job Running') : end;
  return {
    status: 200,
    body: {
      ...{ id, account_id: account.replace('act_', ''), async_status: status },
      async_percent_completion: end === 'Job Completed' || left > 0 ? percent : 0,
    },
  };
}

/** One of the first row, as occurs, without its hour. */
export function withoutHour<T extends object>(rows: readonly T[]): T[] {
  const [first, ...rest] = rows;
  return first === undefined ? [] : [{ ...first, [HOURLY]: undefined }, ...rest];
}
