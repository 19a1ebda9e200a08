import { z } from 'zod';
import { parseJson } from '../../kit/http.ts';
import type { GraphAnswer } from '../errors.ts';
import { graphError } from '../errors.ts';
import { CAMPAIGN_FIELDS } from '../fields.ts';
import type { Place } from '../paging.ts';
import { pageOf } from '../paging.ts';
import type { Params } from '../params.ts';
import { fieldsOf, listParam, pick, refuseUnknownField } from '../params.ts';
import { platformTime, readMoment } from './platform-time.ts';
import type { Account, Campaign, GraphState } from './state.ts';
import { effectiveStatus, shownStatus } from './state.ts';

type Reader = (campaign: Campaign) => unknown;

function readersOf(state: GraphState): Record<string, Reader> {
  const inZone = (campaign: Campaign, at: number): string =>
    platformTime(at, state.accounts.get(campaign.account)?.timezone_name ?? 'UTC');
  return {
    id: (campaign) => campaign.id,
    account_id: (campaign) => campaign.account.replace('act_', ''),
    name: (campaign) => campaign.name,
    status: (campaign) => shownStatus(state, campaign),
    configured_status: (campaign) => shownStatus(state, campaign),
    effective_status: (campaign) => effectiveStatus(state, campaign),
    objective: (campaign) => campaign.objective,
    buying_type: () => 'AUCTION',
    bid_strategy: () => 'LOWEST_COST_WITHOUT_CAP',
    daily_budget: (campaign) => campaign.daily_budget,
    lifetime_budget: (campaign) => campaign.lifetime_budget,
    budget_remaining: (campaign) => campaign.daily_budget ?? campaign.lifetime_budget ?? '0',
    smart_promotion_type: (campaign) => campaign.smart_promotion_type,
    special_ad_categories: () => [],
    special_ad_category: () => 'NONE',
    source_campaign_id: () => '0',
    topline_id: () => '0',
    can_use_spend_cap: () => true,
    created_time: (campaign) => inZone(campaign, campaign.created_time),
    start_time: (campaign) => inZone(campaign, campaign.created_time),
    updated_time: (campaign) => inZone(campaign, campaign.updated_time),
  };
}

export function campaignAnswer(state: GraphState, campaign: Campaign, params: Params): GraphAnswer {
  const fields = fieldsOf(params);
  const refused = refuseUnknownField(fields, CAMPAIGN_FIELDS, 'Campaign');
  return refused ?? { status: 200, body: pick(fields, readersOf(state), campaign) };
}

const EFFECTIVE_STATUSES = [
  'ACTIVE',
  'PAUSED',
  'DELETED',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
  'CAMPAIGN_PAUSED',
  'ARCHIVED',
  'ADSET_PAUSED',
  'IN_PROCESS',
  'WITH_ISSUES',
];

export function listCampaigns(
  state: GraphState,
  account: Account,
  params: Params,
  place: Place,
): GraphAnswer {
  const fields = fieldsOf(params);
  const refused = refuseUnknownField(fields, CAMPAIGN_FIELDS, 'Campaign');
  if (refused !== null) return refused;
  const readers = readersOf(state);
  const filter = readFilter(params, readers);
  if (!filter.ok) return filter.error;
  const campaigns = account.campaigns.flatMap((id) => state.campaigns.get(id) ?? []);
  return pageOf(campaigns, params, place, {
    idOf: (campaign) => campaign.id,
    isShown: filter.passes,
    shape: (campaign) => pick(fields, readers, campaign),
  });
}

type Filter = { ok: true; passes: (campaign: Campaign) => boolean } | { ok: false; error: GraphAnswer };

const OPERATORS = [
  'IN',
  'NOT_IN',
  'EQUAL',
  'NOT_EQUAL',
  'CONTAIN',
  'NOT_CONTAIN',
  'GREATER_THAN',
  'LESS_THAN',
] as const;
const conditions = z.array(
  z.object({
    field: z.string(),
    operator: z.enum(OPERATORS),
    value: z.union([z.array(z.string()), z.string(), z.number()]),
  }),
);
type Condition = z.infer<typeof conditions>[number];

function readFilter(params: Params, readers: Record<string, Reader>): Filter {
  const wrong = (message: string): Filter => ({ ok: false, error: graphError({ code: 100, message }) });
  const statuses = listParam(params, 'effective_status');
  const isStray = (one: string): boolean => !EFFECTIVE_STATUSES.includes(one);
  if (statuses === 'wrong' || statuses?.some(isStray) === true) {
    const index = statuses === 'wrong' ? '' : `[${statuses.findIndex(isStray)}]`;
    return wrong(`(#100) Param effective_status${index} must be one of {${EFFECTIVE_STATUSES.join(', ')}}`);
  }
  const filtering = conditions.safeParse(parseJson(params.get('filtering') ?? '[]'));
  if (!filtering.success) return wrong('(#100) param filtering must be an array.');
  const named = filtering.data.map((one) => ({ ...one, field: one.field.replace(/^campaign\./, '') }));
  const unknown = named.find(({ field }) => !(field in readers));
  if (unknown !== undefined) return wrong(`(#100) Filtering field '${unknown.field}' is not supported`);
  const namesStatus = statuses !== null || named.some(({ field }) => field.endsWith('status'));
  return {
    ok: true,
    passes: (campaign) =>
      (namesStatus || !['ARCHIVED', 'DELETED'].includes(campaign.status)) &&
      (statuses === null || statuses.includes(String(readers['effective_status']?.(campaign)))) &&
      named.every((condition) => meets(condition, readers[condition.field]?.(campaign))),
  };
}

function meets({ field, operator, value }: Condition, given: unknown): boolean {
  const shown = typeof given === 'string' ? given : JSON.stringify(given ?? '');
  const list = Array.isArray(value) ? value : [String(value)];
  const [first = ''] = list;
  const asNumber = (text: string): number =>
    field.endsWith('_time') ? (readMoment(text) ?? Number.NaN) : Number(text);
  switch (operator) {
    case 'IN':
    case 'EQUAL':
      return list.includes(shown);
    case 'NOT_IN':
    case 'NOT_EQUAL':
      return !list.includes(shown);
    case 'CONTAIN':
      return shown.toLowerCase().includes(first.toLowerCase());
    case 'NOT_CONTAIN':
      return !shown.toLowerCase().includes(first.toLowerCase());
    case 'GREATER_THAN':
      return asNumber(shown) > asNumber(first);
    case 'LESS_THAN':
      return asNumber(shown) < asNumber(first);
  }
}
