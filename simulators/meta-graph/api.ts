import { createHmac } from 'node:crypto';
import { parseJson } from '../kit/http.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, missingObject, refusedFilter } from './errors.ts';
import {
  NOT_MADE,
  OF_EVERY_ROW,
  beginReport,
  describeReport,
  isMade,
  readAsked,
  rowsOf,
  withoutHour,
} from './insights.ts';
import type { Params } from './login.ts';
import { debugToken, exchange } from './login.ts';
import { STATUSES } from './seed.ts';
import type { AskedReport, Campaign, GraphState, Token, User } from './state.ts';
import { changeStatus, rejectionOf, removeApp, shownStatus } from './state.ts';

/** One operation: a request of its own, or one inside a batch. */
export interface Operation {
  method: string;
  /** Without the version, and without leading and trailing slashes. */
  path: string;
  params: Params;
  headers: Record<string, string>;
  op: 'outer' | 'inner';
}

interface Caller {
  token: Token;
  user: User;
}

/** From the parameter or the header; the parameter takes precedence. */
export function tokenOf({ params, headers }: Operation): string {
  return params.get('access_token') ?? (headers['authorization'] ?? '').replace(/^(?:Bearer|OAuth) /i, '');
}

/** The user of the token, or the error that the platform returns. */
export function authenticate(state: GraphState, operation: Operation): Caller | GraphAnswer {
  const given = tokenOf(operation);
  if (given === '') return graphError({ code: 2500 });
  const token = state.tokens.get(given);
  const user = state.users.get(token?.user ?? '');
  if (token === undefined || user === undefined)
    return graphError({ code: 190, message: 'Invalid OAuth access token - Cannot parse access token' });
  const subcode = rejectionOf(state, token);
  if (subcode !== null) return graphError({ code: 190, subcode });
  const proof = operation.params.get('appsecret_proof');
  const expected = createHmac('sha256', state.app.secret).update(given).digest('hex');
  if (proof === expected || (proof === undefined && !state.settings.requireAppsecretProof))
    return { token, user };
  return graphError({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' });
}

function isGranted({ user, token }: Caller, permission: string): boolean {
  return user.permissions.get(permission) === 'granted' && token.scopes.includes(permission);
}

/** What a read shows of the state. */
export interface View {
  /** Statuses of that moment; null: of now. */
  asOf: number | null;
  /** `short`: every second item is missing. */
  gap: 'empty' | 'short' | null;
  /** Later entries of the activity log are missing; null: none. */
  logUntil: number | null;
  /** A row of the insights has no hour. */
  lacksHour: boolean;
}
export const WHOLE: View = { asOf: null, gap: null, logUntil: null, lacksHour: false };

/** Meta refuses the whole list for the field. */
const BUSINESS = '(#100) Requires business_management permission to access the field.';

function asksForBusiness(params: Params): boolean {
  return params.get('fields')?.split(',').includes('business') === true;
}

/** Answers one operation. */
export function answer(
  state: GraphState,
  operation: Operation,
  { url, view }: { url: string; view: View },
): GraphAnswer {
  const { method, path, params } = operation;
  if (path === 'oauth/access_token') return exchange(state, params);
  if (path === 'debug_token') return debugToken(state, params);
  if (path === state.app.id && method === 'GET' && state.appTokens.has(tokenOf(operation)))
    return { status: 200, body: { id: path } };
  const caller = authenticate(state, operation);
  if ('status' in caller) return caller;
  const { user } = caller;
  if (path === 'me' && method === 'GET') {
    const email = isGranted(caller, 'email') ? user.email : null;
    return { status: 200, body: show(params, { ...user, email }) };
  }
  if (path === 'me/permissions') return permissions(state, user, method);
  const mayRead = isGranted(caller, 'ads_read') || isGranted(caller, 'ads_management');
  const [first = '', edge] = path.split('/');
  const campaign = state.campaigns.get(first);
  const report = state.reports.get(first);
  const isOwn = path === 'me/adaccounts' || user.accounts.includes((report ?? campaign)?.account ?? first);
  const place = {
    params,
    next: `${url}/${path}`,
    token: caller.token.token,
    view,
    largest: state.largestPage,
  };
  if (edge === 'insights' || report !== undefined) {
    if (!isOwn) return missingObject(method, path);
    return mayRead ? answerInsights(state, operation, place) : graphError({ code: 200 });
  }
  if (edge !== undefined && method === 'GET' && (path === 'me/adaccounts' || state.accounts.has(first))) {
    if (!isOwn || !mayRead) return graphError({ code: 200 });
    const accounts = user.accounts.flatMap((id) => {
      const account = state.accounts.get(id);
      return account === undefined ? [] : { ...account, user_tasks: user.tasks.get(id) };
    });
    if (edge === 'adaccounts' && asksForBusiness(params) && !isGranted(caller, 'business_management'))
      return graphError({ code: 100, message: BUSINESS });
    if (edge === 'adaccounts') return pageOf(accounts, place);
    if (edge === 'campaigns') return listCampaigns(state, first, place);
    if (edge === 'activities') return listActivities(state, first, place);
  }
  if (campaign === undefined || !isOwn || edge !== undefined) return missingObject(method, path);
  if (method === 'POST') return updateCampaign(state, caller, campaign, params);
  if (!mayRead) return graphError({ code: 200 });
  return {
    status: 200,
    body: show(params, { ...campaign, status: shownStatus(state, campaign, view.asOf) }),
  };
}

function permissions(state: GraphState, user: User, method: string): GraphAnswer {
  if (method === 'DELETE') {
    removeApp(state, user);
    return { status: 200, body: { success: true } };
  }
  const data = [...user.permissions].map(([permission, status]) => ({ permission, status }));
  return { status: 200, body: { data } };
}

/** Campaign types that cannot be created or updated through Meta's API since 2026-05-19. */
const LEGACY = ['AUTOMATED_SHOPPING_ADS', 'SMART_APP_PROMOTION'];

/** Assumed: a disabled or closed account refuses changes, and one with a debt accepts them. */
const CLOSED = [2, 101];

/** POST /{campaign}: its status. Other changes, ad sets and ads are not simulated. */
function updateCampaign(state: GraphState, caller: Caller, campaign: Campaign, params: Params): GraphAnswer {
  const status = params.get('status') ?? '';
  if (!isGranted(caller, 'ads_management')) {
    const message = '(#200) Requires ads_management permission to manage the object';
    return graphError({ code: 200, message });
  }
  const tasks = caller.user.tasks.get(campaign.account) ?? [];
  if (!tasks.includes('MANAGE') && !tasks.includes('ADVERTISE')) return graphError({ code: 273 });
  if (CLOSED.includes(state.accounts.get(campaign.account)?.account_status ?? 1))
    return graphError({ code: 2615 });
  // Assumed: a status change counts as an update.
  if (LEGACY.includes(campaign.smart_promotion_type ?? ''))
    return graphError({ code: 100, message: '(#100) Legacy Advantage+ campaigns can no longer be updated.' });
  if (!STATUSES.some((one) => one === status))
    return graphError({ code: 100, message: `(#100) Param status must be one of {${STATUSES.join(', ')}}` });
  if (campaign.status === 'DELETED' || (campaign.status === 'ARCHIVED' && status !== 'DELETED'))
    return graphError({ code: 100, subcode: 1487566 });
  if (params.get('execution_options')?.includes('validate_only') === true)
    return { status: 200, body: { success: true } };
  changeStatus(state, campaign, status, { application: state.app.id, token_user: caller.user.id });
  return { status: 200, body: { success: true } };
}

/** The requested fields of an item. Empty ones are not shown. */
function show(params: Params, item: object): object {
  const fields = (params.get('fields') ?? 'id').split(',');
  return Object.fromEntries(
    Object.entries(item).filter(([field, value]) => fields.includes(field) && value !== null),
  );
}

/** Where a list is read: the address of the next page contains the token, as on the real platform. */
interface Place {
  params: Params;
  next: string;
  token: string;
  view: View;
  largest: number | null;
}

/** A campaign's `effective_status`; those of ad sets and ads have more values. */
const EFFECTIVE: readonly unknown[] = [...STATUSES, 'IN_PROCESS', 'WITH_ISSUES'];

function listCampaigns(state: GraphState, account: string, place: Place): GraphAnswer {
  const asked = parseJson(place.params.get('effective_status') ?? '');
  const statuses: unknown[] = Array.isArray(asked) ? asked : ['ACTIVE', 'PAUSED'];
  if (!statuses.every((one) => EFFECTIVE.includes(one))) return refusedFilter();
  const all = state.accounts.get(account)?.campaigns.flatMap((id) => state.campaigns.get(id) ?? []);
  const shown = (all ?? []).map((one) => ({ ...one, status: shownStatus(state, one, place.view.asOf) }));
  return pageOf(shown, place, ({ status }) => statuses.includes(status));
}

/** Changes in an account, newest first: by this app, by another one, or in Ads Manager. */
function listActivities(state: GraphState, account: string, place: Place): GraphAnswer {
  const since = Number(place.params.get('since') ?? 0) * 1000;
  const until = place.view.logUntil ?? Infinity;
  const entries = state.activities.filter(
    (one) => one.account === account && one.at >= since && one.at <= until,
  );
  const onWire = ({ at, ...entry }: (typeof entries)[number]) => ({
    ...entry,
    event_time: new Date(at).toISOString().replace(/\.\d+Z$/, '+0000'),
  });
  return pageOf(entries.toReversed().map(onWire), place);
}

/** Of an account's insights, or a report of them. */
function answerInsights(state: GraphState, { method, path, params }: Operation, place: Place): GraphAnswer {
  const [first = '', edge] = path.split('/');
  const report = state.reports.get(first);
  if (report !== undefined && edge === undefined) return describeReport(state, report);
  if (report !== undefined && !isMade(state, report)) return NOT_MADE;
  const account = report?.account ?? first;
  const asked = report?.asked ?? readAsked(state, account, params);
  if ('status' in asked) return asked;
  return method === 'POST'
    ? beginReport(state, account, asked)
    : listInsights(state, { account, asked }, place);
}

function listInsights(
  state: GraphState,
  { account, asked }: { account: string; asked: AskedReport },
  place: Place,
): GraphAnswer {
  const rows = rowsOf(state, account, asked);
  const params = new Map([...place.params, ['fields', [...asked.fields, ...OF_EVERY_ROW].join()]]);
  return pageOf(place.view.lacksHour ? withoutHour(rows) : rows, { ...place, params });
}

const DEFAULT_LIMIT = 25;
const LIMIT_CAP = 500;

/**
 * One page of a list, by cursors. The list is complete and in a fixed order; `isShown` filters it,
 * so that a cursor stays valid when its item no longer matches.
 */
function pageOf<T extends { id: string }>(
  all: readonly T[],
  { params, next, token, view: { gap }, largest }: Place,
  isShown: (item: T) => boolean = () => true,
): GraphAnswer {
  const items = gap === 'empty' ? [] : all.filter((_item, index) => gap === null || index % 2 === 1);
  const limit = Number(params.get('limit') ?? DEFAULT_LIMIT);
  if (limit > LIMIT_CAP) {
    const message = "Please reduce the amount of data you're asking for, then retry your request";
    return graphError({ code: 1, http: 500, message });
  }
  if (limit > (largest ?? limit)) return graphError({ code: 1, subcode: 99, http: 500 });
  const cursor = params.get('after');
  const after = cursor === undefined ? -1 : items.findIndex(({ id }) => cursorOf(id) === cursor);
  if (cursor !== undefined && after === -1)
    return graphError({ code: 100, message: '(#100) Invalid parameter: the cursor is not valid' });
  const rest = items.slice(after + 1).filter(isShown);
  const data = rest.slice(0, limit);
  const [first, last] = [data[0], data.at(-1)];
  if (first === undefined || last === undefined) return { status: 200, body: { data: [] } };
  const cursors = { before: cursorOf(first.id), after: cursorOf(last.id) };
  const query = new URLSearchParams([...params, ['access_token', token], ['after', cursors.after]]);
  const paging = { cursors, ...(rest.length > limit && { next: `${next}?${query.toString()}` }) };
  return { status: 200, body: { data: data.map((one) => show(params, one)), paging } };
}

function cursorOf(id: string): string {
  return Buffer.from(`c:${id}`).toString('base64');
}
