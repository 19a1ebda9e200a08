import { randomBytes } from 'node:crypto';
import type { Occasion } from '../kit/faults.ts';
import { Faults } from '../kit/faults.ts';
import type { SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { html } from '../kit/http.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { linger, startSimulator } from '../kit/simulator.ts';
import { executeBatch } from './batch.ts';
import { controls } from './control.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Graph, Operation } from './graph.ts';
import { execute, occasionOf } from './graph.ts';
import { Limits } from './limits.ts';
import { dialog } from './login.ts';
import { controlPage } from './page.ts';
import { DEFAULT_SEED, plant } from './seed.ts';
import type { GraphState } from './state.ts';

export interface MetaGraphOptions extends SimulatorOptions {
  appId?: string;
  appSecret?: string;
  /** The exact addresses the dialog may go back to; without them any on this machine. */
  redirectUris?: string[];
}

const OLDEST_VERSION = 25;

/** Meta's ad platform: the login dialog and the Graph API with accounts, campaigns, batches and limits. */
export async function startMetaGraph(options: MetaGraphOptions = {}): Promise<SimServer> {
  const state = freshState(options);
  plant(state, DEFAULT_SEED);
  const limits = new Limits();
  const parts = { faults: new Faults(), log: new RequestLog() };
  const urls: string[] = [];
  const graph: Graph = { state, limits, faults: parts.faults, url: () => urls[0] ?? '' };
  const server = await startSimulator(options, parts, {
    outside: (request) => serve(graph, request),
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
    app: { id: options.appId ?? '1000000000000001', secret: options.appSecret ?? 'simulated-app-secret' },
    redirectUris: options.redirectUris ?? null,
    users: new Map(),
    accounts: new Map(),
    campaigns: new Map(),
    tokens: new Map(),
    codes: new Map(),
    writes: [],
    activities: [],
    clockOffsetMs: 0,
    latencyMs: 0,
    requireAppsecretProof: false,
  };
}

async function serve(graph: Graph, request: SimRequest): Promise<SimAnswer> {
  const [, version, path = ''] = /^\/(?:v(\d+\.\d+)\/?)?(.*?)\/?$/.exec(request.path) ?? [];
  const operation: Operation = {
    method: methodOf(request),
    path,
    params: request.params,
    headers: request.headers,
    op: 'outer',
  };
  const isBatch = request.params.has('batch');
  const occasion = occasionOf(graph.state, operation, accountInBatch(graph, operation));
  await linger(graph.state.latencyMs + (graph.faults.take(['latency'], occasion)?.ms ?? 0));
  if (path === 'dialog/oauth') return dialog(graph.state, request);
  const early = graph.faults.take(['html', 'truncated', 'reset', 'hang_before'], occasion);
  if (early?.kind === 'reset') return 'cut';
  if (early?.kind === 'html')
    return html(early.http ?? 502, '<html><body><h1>Sorry, something went wrong.</h1></body></html>');
  if (early?.kind === 'hang_before') await graph.faults.park(early);
  const answer = isTooOld(version)
    ? graphError({ code: 2635 })
    : answerOf(graph, operation, { isBatch, occasion });
  const sent = toHttp(answer, version);
  const late = graph.faults.take(['reset_after', 'hang_after'], occasion);
  if (late?.kind === 'reset_after') return 'cut';
  if (late?.kind === 'hang_after') await graph.faults.park(late);
  return early?.kind === 'truncated' ? cutShort(sent) : sent;
}

/** A batch whole may be refused as well, with faults aimed at the outer request. */
function answerOf(
  graph: Graph,
  operation: Operation,
  given: { isBatch: boolean; occasion: Occasion },
): GraphAnswer {
  if (!given.isBatch) return execute(graph, operation) ?? graphError({ code: 1 });
  const refused = graph.faults.take(['error'], given.occasion);
  if (refused === null) return executeBatch(graph, operation);
  const { code = 2, subcode, http, transient, message } = refused;
  return graphError({ code, subcode, http, transient, message });
}

/** The account that a batch is about: that of its first operation. */
function accountInBatch(graph: Graph, operation: Operation): string | null {
  const first = /"relative_url"\s*:\s*"\/?(?:v\d+\.\d+\/)?(\w+)/.exec(
    operation.params.get('batch') ?? operation.path,
  )?.[1];
  const id = first ?? operation.path.split('/')[0] ?? '';
  return graph.state.accounts.has(id) ? id : (graph.state.campaigns.get(id)?.account ?? null);
}

function methodOf(request: SimRequest): string {
  return request.method === 'POST' ? (request.params.get('method') ?? 'POST').toUpperCase() : request.method;
}

function isTooOld(version: string | undefined): boolean {
  return version !== undefined && Number.parseFloat(version) < OLDEST_VERSION;
}

function toHttp(answer: GraphAnswer, version: string | undefined): Exclude<SimAnswer, 'cut'> {
  const id = randomBytes(9).toString('base64url');
  return {
    status: answer.status,
    headers: {
      'content-type': 'text/javascript; charset=UTF-8',
      'facebook-api-version': `v${version ?? '26.0'}`,
      'x-fb-request-id': id,
      'x-fb-trace-id': id,
      'cache-control': 'no-store',
      pragma: 'no-cache',
      expires: 'Sat, 01 Jan 2000 00:00:00 GMT',
      'access-control-allow-origin': '*',
      ...answer.headers,
    },
    body: answer.body === null ? '' : JSON.stringify(answer.body),
  };
}

function cutShort(answer: Exclude<SimAnswer, 'cut'>): SimAnswer {
  return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) };
}
