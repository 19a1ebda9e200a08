import { createHash } from 'node:crypto';
import type { Fault, Faults, Occasion } from '../kit/faults.ts';
import type { Caller } from './auth.ts';
import { authenticate, mayRead, tokenOf } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, missingObject } from './errors.ts';
import type { Limits } from './limits.ts';
import { debugToken, exchange } from './login.ts';
import {
  listAccounts,
  listActivities,
  listCampaigns,
  readAccount,
  readCampaign,
  readMe,
  readPermissions,
  revokePermissions,
} from './nodes.ts';
import type { Campaign, GraphState } from './state.ts';
import { now, shownStatus } from './state.ts';
import { updateCampaign } from './writes.ts';

export interface Graph {
  state: GraphState;
  limits: Limits;
  faults: Faults;
  url: () => string;
}

/** One operation: a request of its own, or one inside a batch. */
export interface Operation {
  method: string;
  /** Without the version. */
  path: string;
  params: Map<string, string>;
  headers: Record<string, string>;
  op: 'outer' | 'inner';
}

/** Null: cut off inside a batch, outcome not told. */
export function execute(graph: Graph, operation: Operation): GraphAnswer | null {
  const { state, limits, faults } = graph;
  const account = accountOf(state, operation);
  const occasion = occasionOf(state, operation, account);
  const limited =
    account === null
      ? null
      : limits.count(account, operation.method === 'POST' ? 'write' : 'read', now(state));
  const usage = limits.headers(account, now(state));
  if (limited !== null) return withHeaders(limited, usage);
  const refused = faults.take(['error', 'null_entry'], occasion);
  if (refused?.kind === 'null_entry') return null;
  if (refused !== null) return withHeaders(errorOf(refused), usage);
  const before = staleFrom(state, operation);
  const answer = route(graph, operation);
  const after = faults.take(
    ['applied_but_error', 'null_entry_applied', 'in_process', 'stale_read'],
    occasion,
  );
  if (after?.kind === 'null_entry_applied') return null;
  if (after?.kind === 'applied_but_error') return withHeaders(errorOf(after), usage);
  if (after !== null) disturb(state, operation, after, before);
  return conditional(withHeaders(answer, usage), operation);
}

function errorOf(fault: Fault): GraphAnswer {
  const { code = 2, subcode, http, transient, message } = fault;
  return graphError({ code, subcode, http, transient, message });
}

function withHeaders(answer: GraphAnswer, headers: Record<string, string>): GraphAnswer {
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

/** An ETag on everything read; the same one sent back gives 304 and no body. It counts against the limits. */
function conditional(answer: GraphAnswer, operation: Operation): GraphAnswer {
  if (operation.method !== 'GET' || answer.status !== 200) return answer;
  const etag = `"${createHash('sha1').update(JSON.stringify(answer.body)).digest('hex')}"`;
  const headers = { ...answer.headers, etag };
  if (operation.headers['if-none-match'] === etag) return { status: 304, body: null, headers };
  return { ...answer, headers };
}

function campaignOf(state: GraphState, operation: Operation): Campaign | undefined {
  return state.campaigns.get(operation.path.split('/')[0] ?? '');
}

function accountOf(state: GraphState, operation: Operation): string | null {
  const [first = ''] = operation.path.split('/');
  if (state.accounts.has(first)) return first;
  return campaignOf(state, operation)?.account ?? null;
}

export function occasionOf(state: GraphState, operation: Operation, account: string | null): Occasion {
  return {
    method: operation.method,
    path: `/${operation.path}`,
    op: operation.op,
    campaign: campaignOf(state, operation)?.id,
    account: account ?? undefined,
    user: state.tokens.get(tokenOf(operation) ?? '')?.user,
  };
}

function staleFrom(state: GraphState, operation: Operation): string | null {
  const campaign = campaignOf(state, operation);
  return campaign === undefined ? null : shownStatus(state, campaign);
}

function disturb(state: GraphState, operation: Operation, fault: Fault, before: string | null): void {
  const campaign = campaignOf(state, operation);
  if (campaign === undefined || before === null) return;
  const until = now(state) + (fault.ms ?? 1000);
  if (fault.kind === 'in_process') campaign.inProcessUntil = until;
  else campaign.stale = { status: before, until };
}

function route(graph: Graph, operation: Operation): GraphAnswer {
  const { state } = graph;
  if (operation.path === 'oauth/access_token') return exchange(state, operation.params);
  if (operation.path === 'debug_token') return debugToken(state, operation.params);
  const who = authenticate(state, operation);
  if (!who.ok) return who.error;
  const { caller } = who;
  const [first = '', edge, rest] = operation.path.split('/');
  if (first === '' && operation.params.has('ids')) return readMany(graph, operation);
  if (first === 'me' || first === caller.user.id) return routeUser(graph, operation, caller, { edge, rest });
  const account = state.accounts.get(first);
  if (account !== undefined) {
    if (!caller.user.accounts.includes(account.id) || !mayRead(caller)) return graphError({ code: 200 });
    if (edge === 'campaigns') return listCampaigns(state, account, operation.params, place(graph, operation));
    if (edge === 'activities') return listActivities(state, account, operation.params);
    return edge === undefined
      ? readAccount(account, operation.params)
      : missingObject(operation.method, operation.path);
  }
  const campaign = state.campaigns.get(first);
  if (campaign === undefined || edge !== undefined || !caller.user.accounts.includes(campaign.account)) {
    return missingObject(operation.method, first);
  }
  if (operation.method === 'POST') return updateCampaign(state, caller, campaign, operation.params);
  return mayRead(caller) ? readCampaign(state, campaign, operation.params) : graphError({ code: 200 });
}

function routeUser(
  graph: Graph,
  operation: Operation,
  caller: Caller,
  { edge, rest }: { edge: string | undefined; rest: string | undefined },
): GraphAnswer {
  if (edge === undefined) return readMe(caller, operation.params);
  if (edge === 'adaccounts')
    return listAccounts(graph.state, caller, operation.params, place(graph, operation));
  if (edge !== 'permissions') return missingObject(operation.method, operation.path);
  if (operation.method !== 'DELETE') return readPermissions(caller);
  return revokePermissions(graph.state, caller, rest ?? operation.params.get('permission') ?? null);
}

function place(graph: Graph, operation: Operation): { base: string; token: string } {
  return { base: `${graph.url()}/v26.0/${operation.path}`, token: tokenOf(operation) ?? '' };
}

const MANY_MAX = 50;

/** `?ids=1,2,3`: an object by id. One bad id fails the whole request. */
function readMany(graph: Graph, operation: Operation): GraphAnswer {
  const ids = (operation.params.get('ids') ?? '').split(',');
  if (ids.length > MANY_MAX)
    return graphError({
      code: 100,
      message: `(#100) Too many IDs. Maximum: ${MANY_MAX}. Provided: ${ids.length}`,
    });
  const params = new Map([...operation.params].filter(([name]) => name !== 'ids'));
  const found: Record<string, unknown> = {};
  for (const id of ids) {
    const answer = route(graph, { ...operation, method: 'GET', path: id, params });
    if (answer.status !== 200) return answer;
    found[id] = answer.body;
  }
  return { status: 200, body: found };
}
