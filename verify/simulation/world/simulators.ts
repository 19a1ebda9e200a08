import { SIMULATED_APP } from '../../../scripts/simulator-clients/simulators.ts';
import { SIMULATED_STRIPE } from '../../../scripts/simulator-clients/stripe.ts';
import type { Handle } from '../../../simulators/kit/http.ts';
import { createMetaGraph, serveGraph } from '../../../simulators/meta-graph/server.ts';
import { createMetaStatus, serveStatusPage } from '../../../simulators/meta-status/server.ts';
import { createEndpoint } from '../../../simulators/stripe/routes.ts';
import { createStripeWorld, serveStripe } from '../../../simulators/stripe/server.ts';

export const APP_ID = SIMULATED_APP.META_APP_ID;
export const HOME = 'http://smartpause.test';
export const SERVERS = {
  graph: 'http://graph.test',
  status: 'http://status.test',
  stripe: 'http://stripe.test',
} as const;
export type Service = keyof typeof SERVERS;
export const SERVICES = Object.keys(SERVERS) as Service[];

export type Simulators = ReturnType<typeof createSimulators>;

/** Meta, its status page and Stripe: the simulators of the tests, without their servers. */
export function createSimulators() {
  const graph = createMetaGraph({ redirectUris: [`${HOME}/auth/facebook/callback`] }, () => SERVERS.graph);
  graph.state.settings.requireAppsecretProof = true;
  const statusPage = createMetaStatus();
  const stripe = createStripeWorld(() => SERVERS.stripe);
  const secret = SIMULATED_STRIPE.STRIPE_WEBHOOK_SECRET;
  createEndpoint(stripe.account, { url: `${HOME}/webhooks/stripe`, enabled_events: ['*'], secret });
  const serve: Record<Service, Handle> = {
    graph: (request) => serveGraph(graph, request),
    status: (request) => serveStatusPage(statusPage, request),
    stripe: (request) => serveStripe(stripe, request),
  };
  return { graph, statusPage, stripe, serve };
}
