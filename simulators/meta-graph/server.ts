import { Faults } from '../kit/faults.ts';
import type { HttpAnswer, SimAnswer, SimRequest, SimServer } from '../kit/http.ts';
import { controlPage } from '../kit/page.ts';
import type { SimulatorOptions } from '../kit/simulator.ts';
import { startSimulator } from '../kit/simulator.ts';
import { TRANSPORT_FAULTS, linger, throughFaults } from '../kit/transport-faults.ts';
import type { Operation } from './api.ts';
import { adsManager, controls } from './control.ts';
import type { GraphAnswer } from './errors.ts';
import { graphError } from './errors.ts';
import type { Graph } from './graph.ts';
import {
  OPERATION_FAULTS,
  execute,
  executeBatch,
  occasionOf,
  occasionOfBatch,
  withoutVersion,
} from './graph.ts';
import { Limits } from './limits.ts';
import { dialog } from './login.ts';
import { DEFAULT_SEED, plant } from './seed.ts';
import { freshState, now } from './state.ts';
import { runTools } from './tools.ts';

interface MetaGraphOptions extends SimulatorOptions {
  app?: typeof APP;
  /** The exact redirect addresses of the dialog; by default any address on this machine. */
  redirectUris?: string[];
}

const APP = { id: '1000000000000001', secret: 'simulated-app-secret' };

/** The platform without an HTTP server and without users. */
export function createMetaGraph({ app = APP, redirectUris }: MetaGraphOptions, url: () => string): Graph {
  return {
    state: freshState(app, redirectUris ?? null),
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
  plant(state, DEFAULT_SEED);
  const server = await startSimulator(options, faults, {
    outside: (request) => serveGraph(graph, request),
    control: controls(graph),
    page: () => controlPage(faults, adsManager(graph)),
    reset: () => {
      limits.setTier('standard_access');
      Object.assign(state, freshState(state.app, state.redirectUris));
      plant(state, DEFAULT_SEED);
    },
  });
  urls.push(server.url);
  return server;
}

export async function serveGraph(graph: Graph, request: SimRequest): Promise<SimAnswer> {
  const { method, params, headers } = request;
  runTools(graph.state);
  const operation: Operation = { method, path: withoutVersion(request.path), params, headers, op: 'outer' };
  const isBatch = method === 'POST' && params.has('batch');
  const occasion = (isBatch ? occasionOfBatch : occasionOf)(graph.state, operation);
  await linger(graph.state.latencyMs);
  return throughFaults(graph.faults, { request, occasion }, () => {
    if (operation.path === 'dialog/oauth') return dialog(graph.state, request);
    const { refused, headers } = graph.limits.ofApp(now(graph.state));
    const answer = refused ?? (isBatch ? executeBatch : execute)(graph, operation) ?? graphError({ code: 1 });
    return toHttp({ ...answer, headers: { ...headers, ...answer.headers } }, now(graph.state));
  });
}

function toHttp({ status, headers, body }: GraphAnswer, at: number): HttpAnswer {
  const fixed = { date: new Date(at).toUTCString(), 'content-type': 'text/javascript; charset=UTF-8' };
  return { status, headers: { ...fixed, ...headers }, body: JSON.stringify(body) };
}
