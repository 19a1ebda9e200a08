import type { Caller } from './auth.ts';
import { mayRead } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, missingObject } from './errors.ts';
import type { Account, Campaign, GraphState } from './state.ts';
import { effectiveStatus, platformTime, shownStatus } from './state.ts';

type Params = Map<string, string>;

const CAMPAIGN_FIELDS: Record<string, (state: GraphState, campaign: Campaign) => unknown> = {
  id: (_state, campaign) => campaign.id,
  account_id: (_state, campaign) => campaign.account.replace('act_', ''),
  name: (_state, campaign) => campaign.name,
  status: shownStatus,
  configured_status: shownStatus,
  effective_status: effectiveStatus,
  objective: (_state, campaign) => campaign.objective,
  buying_type: () => 'AUCTION',
  daily_budget: (_state, campaign) => campaign.daily_budget ?? undefined,
  lifetime_budget: (_state, campaign) => campaign.lifetime_budget ?? undefined,
  budget_remaining: (_state, campaign) => campaign.daily_budget ?? campaign.lifetime_budget ?? '0',
  special_ad_categories: () => [],
  created_time: (_state, campaign) => platformTime(campaign.created_time),
  start_time: (_state, campaign) => platformTime(campaign.created_time),
  updated_time: (_state, campaign) => platformTime(campaign.updated_time),
};

const ACCOUNT_FIELDS: Record<string, (account: Account) => unknown> = {
  id: (account) => account.id,
  account_id: (account) => account.id.replace('act_', ''),
  name: (account) => account.name,
  account_status: (account) => account.account_status,
  disable_reason: (account) => (account.account_status === 1 ? 0 : 1),
  currency: (account) => account.currency,
  timezone_name: (account) => account.timezone_name,
  user_tasks: () => ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE'],
  amount_spent: () => '0',
  balance: () => '0',
};

function pick<T>(
  fields: string[],
  table: Record<string, (item: T) => unknown>,
  item: T,
): GraphAnswer['body'] {
  const wanted = [...new Set(['id', ...fields])];
  const entries = wanted.map((field) => [field, table[field]?.(item)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function fieldsOf(params: Params): string[] {
  return (params.get('fields') ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}

function unknownField(fields: string[], table: object, node: string): GraphAnswer | null {
  const wrong = fields.find((field) => !(field in table));
  if (wrong === undefined) return null;
  return graphError({
    code: 100,
    message: `(#100) Tried accessing nonexisting field (${wrong}) on node type (${node})`,
  });
}

export function campaignNode(state: GraphState, campaign: Campaign, fields: string[]): GraphAnswer['body'] {
  const table = Object.fromEntries(
    Object.entries(CAMPAIGN_FIELDS).map(([name, read]) => [name, (one: Campaign) => read(state, one)]),
  );
  return pick(fields, table, campaign);
}

export function readMe(caller: Caller, params: Params): GraphAnswer {
  const { user, token } = caller;
  const wanted = fieldsOf(params).length === 0 ? ['id', 'name'] : fieldsOf(params);
  const known: Record<string, unknown> = {
    id: user.id,
    name: user.name,
    ...(token.scopes.includes('email') && user.email !== null ? { email: user.email } : {}),
  };
  return {
    status: 200,
    body: Object.fromEntries(wanted.filter((field) => field in known).map((field) => [field, known[field]])),
  };
}

export function readPermissions(caller: Caller): GraphAnswer {
  const data = [...caller.user.permissions].map(([permission, status]) => ({ permission, status }));
  return { status: 200, body: { data } };
}

export function revokePermissions(state: GraphState, caller: Caller, permission: string | null): GraphAnswer {
  if (permission !== null) {
    caller.user.permissions.set(permission, 'declined');
    return { status: 200, body: { success: true } };
  }
  caller.user.permissions.clear();
  for (const token of state.tokens.values()) if (token.user === caller.user.id) token.invalidSubcode = 458;
  return { status: 200, body: { success: true } };
}

/** Where a paged list is read: its address carries the token, as the platform's own does. */
export interface Place {
  base: string;
  token: string;
}

export function listAccounts(state: GraphState, caller: Caller, params: Params, place: Place): GraphAnswer {
  if (!mayRead(caller)) return graphError({ code: 200 });
  const fields = fieldsOf(params);
  const wrong = unknownField(fields, ACCOUNT_FIELDS, 'AdAccount');
  if (wrong !== null) return wrong;
  const accounts = caller.user.accounts.flatMap((id) => state.accounts.get(id) ?? []);
  return page(accounts, params, place, (account) => pick(fields, ACCOUNT_FIELDS, account));
}

export function readAccount(account: Account, params: Params): GraphAnswer {
  const fields = fieldsOf(params);
  return (
    unknownField(fields, ACCOUNT_FIELDS, 'AdAccount') ?? {
      status: 200,
      body: pick(fields, ACCOUNT_FIELDS, account),
    }
  );
}

export function listCampaigns(
  state: GraphState,
  account: Account,
  params: Params,
  place: Place,
): GraphAnswer {
  const fields = fieldsOf(params);
  const wrong = unknownField(fields, CAMPAIGN_FIELDS, 'Campaign');
  if (wrong !== null) return wrong;
  const wanted = statusFilter(params);
  const campaigns = account.campaigns
    .flatMap((id) => state.campaigns.get(id) ?? [])
    .filter((campaign) => {
      if (wanted === null) return !['ARCHIVED', 'DELETED'].includes(campaign.status);
      return wanted.includes(effectiveStatus(state, campaign));
    });
  return page(campaigns, params, place, (campaign) => campaignNode(state, campaign, fields));
}

/** `effective_status=["ACTIVE"]`, `effective_status[0]=ACTIVE`, or the same by `filtering`. */
function statusFilter(params: Params): string[] | null {
  const listed = params.get('effective_status');
  if (listed !== undefined) return JSON.parse(listed) as string[];
  const indexed = [...params]
    .filter(([name]) => /^effective_status\[\d*\]$/.test(name))
    .map(([, value]) => value);
  if (indexed.length > 0) return indexed;
  const filtering = JSON.parse(params.get('filtering') ?? '[]') as { field: string; value: string[] }[];
  return filtering.find(({ field }) => /(^|\.)effective_status$/.test(field))?.value ?? null;
}

const DEFAULT_LIMIT = 25;
const LIMIT_CAP = 500;

function page<T extends { id: string }>(
  items: T[],
  params: Params,
  place: Place,
  shape: (item: T) => unknown,
): GraphAnswer {
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (limit > LIMIT_CAP) {
    return graphError({
      code: 1,
      http: 500,
      message: "Please reduce the amount of data you're asking for, then retry your request",
    });
  }
  const after = params.get('after');
  const start = after === undefined ? 0 : items.findIndex(({ id }) => cursorOf(id) === after) + 1;
  const shown = items.slice(start, start + limit);
  const last = shown.at(-1);
  const first = shown[0];
  const paging =
    first === undefined || last === undefined
      ? {}
      : {
          paging: {
            cursors: { before: cursorOf(first.id), after: cursorOf(last.id) },
            ...(start + limit < items.length ? { next: nextAddress(params, place, cursorOf(last.id)) } : {}),
          },
        };
  const summary = params.get('summary') === undefined ? {} : { summary: { total_count: items.length } };
  return { status: 200, body: { data: shown.map(shape), ...paging, ...summary } };
}

function cursorOf(id: string): string {
  return Buffer.from(`c:${id}`).toString('base64url');
}

function nextAddress(params: Params, place: Place, after: string): string {
  const query = new URLSearchParams(
    [...params].filter(([name]) => !['after', 'before', 'access_token'].includes(name)),
  );
  query.set('access_token', place.token);
  query.set('after', after);
  return `${place.base}?${query.toString()}`;
}

export function readCampaign(state: GraphState, campaign: Campaign, params: Params): GraphAnswer {
  const fields = fieldsOf(params);
  if (campaign.status === 'DELETED' && fields.length === 0) return missingObject('GET', campaign.id);
  return (
    unknownField(fields, CAMPAIGN_FIELDS, 'Campaign') ?? {
      status: 200,
      body: campaignNode(state, campaign, fields),
    }
  );
}

export function listActivities(state: GraphState, account: Account, params: Params): GraphAnswer {
  const since = Number(params.get('since') ?? 0) * 1000;
  const oid = params.get('oid');
  const data = state.activities
    .filter(
      (entry) =>
        entry.account === account.id &&
        entry.event_time >= since &&
        (oid === undefined || oid === entry.object_id),
    )
    .map(({ account: _account, event_time, ...entry }) => ({
      ...entry,
      event_time: platformTime(event_time),
      object_type: 'CAMPAIGN',
      translated_event_type: 'Campaign status updated',
    }))
    .toReversed();
  return { status: 200, body: { data } };
}
