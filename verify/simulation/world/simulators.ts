import type { SimAnswer, SimRequest } from '../../../simulators/kit/http.ts';
import type { Graph } from '../../../simulators/meta-graph/graph.ts';
import { createMetaGraph, serveGraph } from '../../../simulators/meta-graph/server.ts';
import type { StatusPage } from '../../../simulators/meta-status/server.ts';
import { createMetaStatus, serveStatusPage } from '../../../simulators/meta-status/server.ts';
import { createEndpoint } from '../../../simulators/stripe/routes.ts';
import { createStripeWorld, serveStripe } from '../../../simulators/stripe/server.ts';
import type { StripeWorld } from '../../../simulators/stripe/world.ts';
import type { Service } from './network.ts';
import { SERVERS } from './network.ts';

export const APP = { id: '1000000000000001', secret: 'canary-app-secret' };
export const STRIPE = { key: 'sk_test_simulated', webhookSecret: 'whsec_canary' };
export const HOME = 'http://smartpause.test';
export const WEBHOOKS = `${HOME}/webhooks/stripe`;

/** Meta, its status page and Stripe: the simulators of the tests, without their servers. */
export interface Simulators {
  graph: Graph;
  statusPage: StatusPage;
  stripe: StripeWorld;
  serve: Record<Service, (request: SimRequest) => Promise<SimAnswer>>;
}

export function createSimulators(): Simulators {
  const options = { app: APP, redirectUris: [`${HOME}/auth/facebook/callback`] };
  const graph = createMetaGraph(options, () => SERVERS.graph);
  graph.state.settings.requireAppsecretProof = true;
  const statusPage = createMetaStatus();
  const stripe = createStripeWorld(() => SERVERS.stripe);
  createEndpoint(stripe.account, { url: WEBHOOKS, enabled_events: ['*'], secret: STRIPE.webhookSecret });
  return {
    graph,
    statusPage,
    stripe,
    serve: {
      graph: (request) => serveGraph(graph, request),
      status: (request) => serveStatusPage(statusPage, request),
      stripe: (request) => serveStripe(stripe, request),
    },
  };
}
