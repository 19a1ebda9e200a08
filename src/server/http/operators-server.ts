import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { Health } from '../health.ts';
import { serveHealth } from './routes/health.ts';

/**
 * A separate port for operators, in every role: health and metrics.
 * It has no authentication, so it must not be reachable from outside.
 * @param metrics in Prometheus' text format
 */
export function createOperatorsServer(deps: {
  health: () => Promise<Health>;
  metrics: { contentType: string; metrics: () => Promise<string> };
}): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  serveHealth(app, deps.health, 'operators');
  app.get('/metrics', async (_request, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.metrics()),
  );
  return app;
}
