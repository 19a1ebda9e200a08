import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { DatabaseState } from '../health.ts';

/** The database's state for monitors and load balancers; liveness for supervisors. */
export function serveHealth(app: FastifyInstance, health: () => Promise<DatabaseState>): void {
  for (const path of ['/health', '/health/ready']) {
    app.get(path, async (_request, reply) => {
      const database = await health();
      if (database === 'fine') return { healthy: true, database };
      return reply.status(503).send({ healthy: false, database });
    });
  }
  // Liveness ignores the database: a restart of this process would not bring it back.
  app.get('/health/live', () => ({ alive: true }));
}

/**
 * A separate port for operators, in every role: health and metrics.
 * It has no authentication, so it must not be reachable from outside.
 * @param metrics in Prometheus' text format
 */
export function createOperatorsServer(deps: {
  health: () => Promise<DatabaseState>;
  metrics: { contentType: string; metrics: () => Promise<string> };
}): FastifyInstance {
  const app = fastify({ logger: false, forceCloseConnections: true });
  serveHealth(app, deps.health);
  app.get('/metrics', async (_request, reply) =>
    reply.type(deps.metrics.contentType).send(await deps.metrics.metrics()),
  );
  return app;
}
