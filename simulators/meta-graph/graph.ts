import type { Fault, Faults, Occasion } from '../kit/faults.ts';
import { authenticate, tokenOf } from './auth.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Limits } from './limits.ts';
import type { Operation } from './routes.ts';
import { route } from './routes.ts';
import type { Campaign, GraphState } from './state/state.ts';
import { now, shownStatus } from './state/state.ts';

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
] as const;

export function readPath(path: string): Pick<Operation, 'version' | 'path'> {
  const [, version, rest = ''] = /^\/*(?:v(\d+\.\d+)(?:\/|$))?(.*?)\/*$/.exec(path) ?? [];
  return { version, path: rest };
}

/** Null: cut off inside a batch, outcome unreported. */
export function execute(graph: Graph, operation: Operation): GraphAnswer | null {
  const { state, faults } = graph;
  const occasion = occasionOf(state, operation);
  const isInner = operation.op === 'inner';
  const before = faults.take(isInner ? ['error', 'null_entry'] : ['error'], occasion);
  if (before?.kind === 'null_entry') return null;
  const usage = countUse(graph, operation);
  if (before !== null) return withHeaders(errorOf(before), usage.headers);
  if (usage.refused !== null) return withHeaders(usage.refused, usage.headers);
  const campaign = operation.method === 'GET' ? undefined : state.campaigns.get(operation.path);
  const statusBefore = campaign && shownStatus(state, campaign);
  const answer = withHeaders(route(state, operation, graph.url()), usage.headers);
  if (campaign !== undefined && statusBefore !== undefined && answer.status === 200)
    delayReads(graph, campaign, statusBefore, occasion);
  const kinds = isInner ? ['applied_but_error', 'null_entry_applied'] : ['applied_but_error'];
  const after = faults.take(kinds, occasion);
  if (after?.kind === 'null_entry_applied') return null;
  return after === null ? answer : withHeaders(errorOf(after), usage.headers);
}

export function errorOf({ code = 2, ...fault }: Fault): GraphAnswer {
  const { subcode, http, transient, message, userTitle, userMessage } = fault;
  return graphError({ code, subcode, http, transient, message, userTitle, userMessage });
}

function withHeaders(answer: GraphAnswer, headers: Record<string, string>): GraphAnswer {
  return { ...answer, headers: { ...headers, ...answer.headers } };
}

/** The object of an operation: the first segment of its path. */
function objectOf(operation: Operation): string {
  const [first = ''] = operation.path.split('/');
  return first;
}

/** An operation counts as one call for its object's account, if the caller has access to it. */
function countUse(
  graph: Graph,
  operation: Operation,
): { refused: GraphAnswer | null; headers: Record<string, string> } {
  const { state, limits } = graph;
  const at = now(state);
  const who = authenticate(state, operation);
  const named = accountOf(state, objectOf(operation)) ?? null;
  const account = named !== null && 'user' in who && who.user.accounts.includes(named) ? named : null;
  const kind = operation.method === 'GET' ? 'read' : 'write';
  const refused = account === null ? null : limits.count(account, kind, at);
  return { refused, headers: limits.headers(account, at) };
}

function accountOf(state: GraphState, id: string): string | undefined {
  return state.accounts.has(id) ? id : state.campaigns.get(id)?.account;
}

export function occasionOf(state: GraphState, operation: Operation): Occasion {
  const object = objectOf(operation);
  const account = accountOf(state, object);
  const user = state.tokens.get(tokenOf(operation) ?? '')?.user;
  return {
    method: operation.method,
    path: `/${operation.path}`,
    op: operation.op,
    campaigns: state.campaigns.has(object) ? [object] : [],
    accounts: account === undefined ? [] : [account],
    users: user === undefined ? [] : [user],
  };
}

/** After a successful write, reads may show the status before it for a while. */
function delayReads({ state, faults }: Graph, campaign: Campaign, before: string, occasion: Occasion): void {
  const fault = faults.take(['stale_read'], occasion);
  if (fault !== null) campaign.stale = { status: before, until: now(state) + (fault.ms ?? 1000) };
}
