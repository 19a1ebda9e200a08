import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { Health, Readiness } from '../health.ts';

/** State of the database for the pages, which ask when a call has failed. */
export function servePagesHealth(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  app.get('/health', async (_request, reply) => {
    const database = await readiness();
    if (database === 'fine') return { healthy: true };
    return reply.status(503).header('retry-after', '5').send({ healthy: false, database });
  });
}

/** Readiness for load balancers and liveness for supervisors. */
export function serveHealth(
  app: FastifyInstance,
  health: () => Promise<Health>,
  to: 'operators' | 'everybody',
): void {
  app.get('/health/ready', async (_request, reply) => {
    const found = await health();
    if (!found.isReady) reply.header('retry-after', '5');
    const visible = to === 'operators' ? found : { isReady: found.isReady };
    return reply.status(found.isReady ? 200 : 503).send(visible);
  });
  // Liveness ignores the database: a restart of this process would not bring it back.
  app.get('/health/live', () => ({ alive: true }));
}

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
