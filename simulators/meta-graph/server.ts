import { randomBytes } from 'node:crypto';
import type { Fault, Occasion } from '../kit/faults.ts';
import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { cutShort, html } from '../kit/http.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { linger, startSimulator } from '../kit/simulator.ts';
import { executeBatch, occasionOfBatch } from './batch.ts';
import { controls } from './control.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Graph, Operation } from './graph.ts';
import { CURRENT_VERSION, OPERATION_FAULTS, execute, occasionOf, readPath } from './graph.ts';
import { Limits } from './limits.ts';
import { dialog } from './login/dialog.ts';
import { controlPage } from './page.ts';
import { DEFAULT_SEED } from './state/seed-data.ts';
import { plant } from './state/seed.ts';
import type { GraphState } from './state/state.ts';
import { now } from './state/state.ts';

export interface MetaGraphOptions extends SimulatorOptions {
  appId?: string;
  appSecret?: string;
  /** The exact addresses the dialog may go back to; without them any on this machine. */
  redirectUris?: string[];
}

const EARLY_FAULTS = ['html', 'truncated', 'reset', 'hang_before'];
const LATE_FAULTS = ['reset_after', 'hang_after'];
const KINDS = [...OPERATION_FAULTS, 'latency', ...EARLY_FAULTS, ...LATE_FAULTS];

/** The platform by itself, without a server around it and with nobody in it. */
export function createMetaGraph(options: MetaGraphOptions, url: () => string): Graph {
  return { state: freshState(options), limits: new Limits(), faults: new Faults(KINDS), url };
}

/** Meta's ad platform: the login dialog and the Graph API with accounts, campaigns, batches and limits. */
export async function startMetaGraph(options: MetaGraphOptions = {}): Promise<SimServer> {
  const urls: string[] = [];
  const graph = createMetaGraph(options, () => urls[0] ?? '');
  const { state, limits, faults } = graph;
  plant(state, DEFAULT_SEED);
  const parts = { faults, log: new RequestLog() };
  const server = await startSimulator(options, parts, {
    outside: (request) => serveGraph(graph, request),
    control: controls(graph),
    page: () => controlPage(graph, parts.log),
    reset: () => {
      limits.reset();
      Object.assign(state, freshState(options));
      plant(state, DEFAULT_SEED);
    },
  });
  urls.push(server.url);
  return server;
}

function freshState(options: MetaGraphOptions): GraphState {
  return {
    app: {
      id: options.appId ?? '1000000000000001',
      secret: options.appSecret ?? 'simulated-app-secret',
      name: 'SmartPause',
    },
    redirectUris: options.redirectUris ?? null,
    users: new Map(),
    accounts: new Map(),
    campaigns: new Map(),
    tokens: new Map(),
    codes: new Map(),
    writes: [],
    activities: [],
    clockOffsetMs: 0,
    frozenAt: null,
    latencyMs: 0,
    settings: {
      requireAppsecretProof: false,
      shortPages: false,
      codeTokenSeconds: null,
      extendTokens: true,
    },
  };
}

export async function serveGraph(graph: Graph, request: SimRequest): Promise<SimAnswer> {
  const operation: Operation = {
    method: methodOf(request),
    ...readPath(request.path),
    params: request.params,
    headers: request.headers,
    op: 'outer',
  };
  const isBatch = operation.method === 'POST' && request.params.has('batch');
  const occasion = isBatch ? occasionOfBatch(graph, operation) : occasionOf(graph.state, operation);
  await linger(graph.state.latencyMs + (graph.faults.take(['latency'], occasion)?.ms ?? 0));
  const early = graph.faults.take(EARLY_FAULTS, occasion);
  if (early?.kind === 'reset') return 'cut';
  if (early?.kind === 'html') return html(early.http ?? 502, SORRY);
  if (early?.kind === 'hang_before' && !(await mayGoOn(graph, early, request))) return 'cut';
  const sent =
    operation.path === 'dialog/oauth'
      ? dialog(graph.state, request)
      : toHttp(apply(graph, operation, isBatch ? occasion : null), operation.version, now(graph.state));
  const late = graph.faults.take(LATE_FAULTS, occasion);
  if (late?.kind === 'reset_after') return 'cut';
  if (late?.kind === 'hang_after' && (await graph.faults.park(late, request.gone)) === 'dropped')
    return 'cut';
  return early?.kind === 'truncated' ? cutShort(sent) : sent;
}

const SORRY =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>';

/** A parked request whose client went away is dropped, unless the fault says that it is applied late. */
async function mayGoOn(graph: Graph, fault: Fault, request: SimRequest): Promise<boolean> {
  const gone = fault.applyOnRelease ? undefined : request.gone;
  return (await graph.faults.park(fault, gone)) === 'released';
}

function apply(graph: Graph, operation: Operation, batch: Occasion | null): GraphAnswer {
  if (batch !== null) return executeBatch(graph, operation, batch);
  return execute(graph, operation) ?? graphError({ code: 1 });
}

/** Any method can be asked for by a parameter of a POST. */
function methodOf(request: SimRequest): string {
  const asked = request.params.get('method')?.toUpperCase();
  const isKnown = asked === 'GET' || asked === 'POST' || asked === 'DELETE';
  return request.method === 'POST' && isKnown ? asked : request.method;
}

function toHttp(answer: GraphAnswer, version: string | undefined, at: number): HttpAnswer {
  const id = randomBytes(9).toString('base64url');
  return {
    status: answer.status,
    headers: {
      date: new Date(at).toUTCString(),
      'content-type': 'text/javascript; charset=UTF-8',
      'facebook-api-version': `v${version ?? CURRENT_VERSION}`,
      'x-fb-request-id': traceOf(answer) ?? id,
      'x-fb-trace-id': id,
      'x-fb-rev': '1031415926',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      expires: 'Sat, 01 Jan 2000 00:00:00 GMT',
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=15552000; preload',
      ...answer.headers,
    },
    body: answer.body === null ? '' : JSON.stringify(answer.body),
  };
}

/** The trace id of an error is that of its answer. */
function traceOf({ body }: GraphAnswer): string | undefined {
  return (body as { error?: { fbtrace_id?: string } } | null)?.error?.fbtrace_id;
}
