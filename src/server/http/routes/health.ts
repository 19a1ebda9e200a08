import type { FastifyInstance } from 'fastify';
import type { Health } from '../../health.ts';

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
