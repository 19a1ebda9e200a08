import { z } from 'zod';
import type { Fault, Faults, Occasion } from '../kit/faults.ts';
import { parseJson } from '../kit/http.ts';
import type { Operation, View } from './api.ts';
import { WHOLE, answer, authenticate, tokenOf } from './api.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, refusedFilter } from './errors.ts';
import type { Limits } from './limits.ts';
import type { Campaign, GraphState } from './state.ts';
import { now, shownStatus } from './state.ts';

export interface Graph {
  state: GraphState;
  limits: Limits;
  faults: Faults;
  url: () => string;
}

/** The faults of a single operation, alone or inside a batch. */
export const OPERATION_FAULTS = [
  'error',
  'applied_but_error',
  'null_entry',
  'null_entry_applied',
  'stale_read',
  'lagging_read',
  'late_log',
  'empty_list',
  'short_list',
  'refused_filter',
  'failed_report',
  'skipped_report',
  'rows_without_hour',
] as const;

/** Without the version and the slashes at both ends. */
export function withoutVersion(path: string): string {
  return path.replace(/^\/*(v\d+\.\d+(\/|$))?/, '').replace(/\/+$/, '');
}

/** Null: cut off inside a batch, outcome unreported. */
export function execute(graph: Graph, operation: Operation): GraphAnswer | null {
  const { state, faults } = graph;
  const occasion = occasionOf(state, operation);
  const isInner = operation.op === 'inner';
  const before = faults.take(isInner ? ['error', 'null_entry'] : ['error'], occasion);
  if (before?.kind === 'null_entry') return null;
  const { refused, headers } = countUse(graph, operation);
  if (before !== null) return { ...errorOf(before), headers };
  if (refused !== null) return { ...refused, headers };
  const filter = operation.params.has('effective_status') ? faults.take(['refused_filter'], occasion) : null;
  if (filter !== null) return { ...refusedFilter(filter), headers };
  const campaign = operation.method === 'GET' ? undefined : state.campaigns.get(operation.path);
  const statusBefore = campaign && shownStatus(state, campaign);
  const given = answer(state, operation, { url: graph.url(), view: viewOf(graph, operation, occasion) });
  if (campaign !== undefined && statusBefore !== undefined && given.status === 200)
    delayReads(graph, campaign, statusBefore, occasion);
  if (operation.method === 'POST') spoilReport(graph, given, occasion);
  const kinds = isInner ? ['applied_but_error', 'null_entry_applied'] : ['applied_but_error'];
  const after = faults.take(kinds, occasion);
  if (after?.kind === 'null_entry_applied') return null;
  return { ...(after === null ? given : errorOf(after)), headers };
}

/** What the faults make of a read: a replica that is behind, a log without its newest entries, a list with gaps. */
function viewOf({ state, faults }: Graph, { method, path }: Operation, occasion: Occasion): View {
  const edge = path.split('/')[1];
  if (method !== 'GET') return WHOLE;
  if (edge === 'insights')
    return { ...WHOLE, lacksHour: faults.take(['rows_without_hour'], occasion) !== null };
  if (edge === 'activities')
    return { ...WHOLE, logUntil: now(state) - (faults.take(['late_log'], occasion)?.ms ?? 0) };
  const isList = edge === 'campaigns' || edge === 'adaccounts';
  const gap = isList ? faults.take(['empty_list', 'short_list'], occasion) : null;
  const isRead = edge === 'campaigns' || state.campaigns.has(path);
  const lag = isRead ? faults.take(['lagging_read'], occasion) : null;
  return {
    ...WHOLE,
    gap: gap === null ? null : gap.kind === 'empty_list' ? 'empty' : 'short',
    asOf: lag === null ? null : now(state) - (lag.ms ?? 30_000),
  };
}

/** A report that Meta accepts, and then does not make. */
function spoilReport({ state, faults }: Graph, { body }: GraphAnswer, occasion: Occasion): void {
  const report = state.reports.get((body as { report_run_id?: string } | null)?.report_run_id ?? '');
  const fault = report && faults.take(['failed_report', 'skipped_report'], occasion);
  if (report !== undefined && fault != null)
    report.end = fault.kind === 'failed_report' ? 'Job Failed' : 'Job Skipped';
}

function errorOf(fault: Fault): GraphAnswer {
  return graphError({ ...fault, code: fault.code ?? 2 });
}

/** An operation counts as one call for its object's account, if the caller has access to it. */
function countUse({ state, limits }: Graph, operation: Operation): ReturnType<Limits['count']> {
  const who = authenticate(state, operation);
  const account = accountOf(state, operation);
  if (account === undefined || !('user' in who) || !who.user.accounts.includes(account))
    return { refused: null, headers: {} };
  const [object = '', edge] = operation.path.split('/');
  if (edge === 'insights' || state.reports.has(object))
    return limits.countInsights(account, activeAdsOf(state, account), now(state));
  return limits.count(account, operation.method === 'GET' ? 'read' : 'write', now(state));
}

/** One of each running campaign. */
function activeAdsOf({ accounts, campaigns }: GraphState, account: string): number {
  return (accounts.get(account)?.campaigns ?? []).filter((id) => campaigns.get(id)?.status === 'ACTIVE')
    .length;
}

/** The object of an operation is the first segment of its path. */
function accountOf(state: GraphState, { path }: Operation): string | undefined {
  const [object = ''] = path.split('/');
  return state.accounts.has(object)
    ? object
    : (state.campaigns.get(object) ?? state.reports.get(object))?.account;
}

export function occasionOf(state: GraphState, operation: Operation): Required<Occasion> {
  const [object = ''] = operation.path.split('/');
  const user = state.tokens.get(tokenOf(operation))?.user;
  return {
    method: operation.method,
    path: `/${operation.path}`,
    op: operation.op,
    campaigns: state.campaigns.has(object) ? [object] : [],
    accounts: [accountOf(state, operation) ?? []].flat(),
    users: [user ?? []].flat(),
  };
}

/** After a successful write, reads may show the status before it for a while. */
function delayReads({ state, faults }: Graph, campaign: Campaign, before: string, occasion: Occasion): void {
  const fault = faults.take(['stale_read'], occasion);
  if (fault !== null) campaign.stale = { status: before, until: now(state) + (fault.ms ?? 1000) };
}

const BATCH_MAX = 50;
const batchSchema = z.array(
  z.object({
    method: z.string().default('GET'),
    relative_url: z.string(),
    body: z.string().default(''),
  }),
);

/** POST with `batch`: each operation has its own result, and the outer response is 200. */
export function executeBatch(graph: Graph, outer: Operation): GraphAnswer {
  const occasion = occasionOfBatch(graph.state, outer);
  const refused = graph.faults.take(['error'], occasion, isForAll);
  if (refused !== null) return errorOf(refused);
  if (!graph.state.appTokens.has(tokenOf(outer))) {
    const who = authenticate(graph.state, outer);
    if ('status' in who) return who;
  }
  const operations = operationsOf(outer);
  if (operations.length > BATCH_MAX)
    return graphError({ code: 100, message: `Too many requests in batch message. Maximum batch size is 50` });
  const withHeaders = outer.params.get('include_headers') !== 'false';
  const body = operations.map((one) => {
    const given = execute(graph, one);
    if (given === null) return null;
    const headers = Object.entries(given.headers ?? {}).map(([name, value]) => ({ name, value }));
    return { code: given.status, ...(withHeaders && { headers }), body: JSON.stringify(given.body) };
  });
  const lost = graph.faults.take(['applied_but_error'], occasion, isForAll);
  return lost === null ? { status: 200, body } : errorOf(lost);
}

/** The occasion of a batch combines those of its operations. */
export function occasionOfBatch(state: GraphState, outer: Operation): Occasion {
  const own = occasionOf(state, outer);
  const inner = operationsOf(outer).map((one) => occasionOf(state, one));
  return {
    ...own,
    campaigns: inner.flatMap(({ campaigns }) => campaigns),
    accounts: inner.flatMap(({ accounts }) => accounts),
    users: [...own.users, ...inner.flatMap(({ users }) => users)],
  };
}

/** An error for a campaign applies to that campaign's operation, unless the fault names the batch. */
function isForAll({ match }: Fault): boolean {
  return match.op === 'outer' || match.campaign === undefined;
}

/** The operations of a batch inherit its token. */
function operationsOf(outer: Operation): Operation[] {
  const operations = batchSchema.safeParse(parseJson(outer.params.get('batch') ?? '')).data ?? [];
  const inherited = ['access_token', 'appsecret_proof'].flatMap((name): [string, string][] => {
    const value = outer.params.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return operations.map(({ method, relative_url: url, body }) => {
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const params = new Map([...inherited, ...new URLSearchParams(query), ...new URLSearchParams(body)]);
    return { method, path: withoutVersion(path), params, headers: outer.headers, op: 'inner' };
  });
}
