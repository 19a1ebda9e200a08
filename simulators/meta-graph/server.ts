import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import { RequestLog } from '../kit/request-log.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { startSimulator } from '../kit/simulator.ts';
import { TRANSPORT_FAULTS, linger, throughFaults } from '../kit/transport-faults.ts';
import { executeBatch, occasionOfBatch } from './batch.ts';
import { controls } from './control.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError, traceId } from './errors.ts';
import type { Graph } from './graph.ts';
import { OPERATION_FAULTS, execute, occasionOf, readPath } from './graph.ts';
import { Limits } from './limits.ts';
import { dialog } from './login/dialog.ts';
import { adsManager } from './page.ts';
import type { Operation } from './routes.ts';
import { DEFAULT_SEED } from './state/seed-data.ts';
import { plant, seedBody } from './state/seed.ts';
import type { GraphState } from './state/state.ts';
import { now } from './state/state.ts';

export interface MetaGraphOptions extends SimulatorOptions {
  appId?: string;
  appSecret?: string;
  /** The exact redirect addresses of the dialog; by default any address on this machine. */
  redirectUris?: string[];
}

/** The platform without an HTTP server and without users. */
export function createMetaGraph(options: MetaGraphOptions, url: () => string): Graph {
  return {
    state: freshState(options),
    limits: new Limits(),
    faults: new Faults([...OPERATION_FAULTS, ...TRANSPORT_FAULTS]),
    url,
  };
}

/** Meta's ad platform: the login dialog and the Graph API with accounts, campaigns, batches and limits. */
export async function startMetaGraph(options: MetaGraphOptions = {}): Promise<SimServer> {
  const urls: string[] = [];
  const graph = createMetaGraph(options, () => urls[0] ?? '');
  const { state, limits, faults } = graph;
  plant(state, seedBody.parse(DEFAULT_SEED));
  const parts = { faults, log: new RequestLog() };
  const server = await startSimulator(options, parts, {
    outside: (request) => serveGraph(graph, request),
    control: controls(graph),
    page: () => controlPage(faults, adsManager(state)),
    reset: () => {
      limits.setTier('standard_access');
      Object.assign(state, freshState(options));
      plant(state, seedBody.parse(DEFAULT_SEED));
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
    latencyMs: 0,
    settings: { requireAppsecretProof: false, codeTokenSeconds: null, extendTokens: true },
  };
}

export async function serveGraph(graph: Graph, request: SimRequest): Promise<SimAnswer> {
  const { method, params, headers } = request;
  const operation: Operation = { method, ...readPath(request.path), params, headers, op: 'outer' };
  const isBatch = method === 'POST' && params.has('batch');
  const occasion = isBatch ? occasionOfBatch(graph, operation) : occasionOf(graph.state, operation);
  await linger(graph.state.latencyMs);
  return throughFaults(graph.faults, { request, occasion }, () => {
    if (operation.path === 'dialog/oauth') return dialog(graph.state, request);
    const answer = isBatch ? executeBatch(graph, operation, occasion) : execute(graph, operation);
    return toHttp(answer ?? graphError({ code: 1 }), now(graph.state));
  });
}

function toHttp({ status, headers, body }: GraphAnswer, at: number): HttpAnswer {
  return {
    status,
    headers: {
      date: new Date(at).toUTCString(),
      'content-type': 'text/javascript; charset=UTF-8',
      'x-fb-trace-id': traceId(),
      ...headers,
    },
    body: JSON.stringify(body),
  };
}
