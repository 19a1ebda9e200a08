import type { FastifyInstance } from 'fastify';
import type { Health } from '../../health.ts';

/** For whoever decides where people are sent, and whether a process is started anew. */
export function serveHealth(
  app: FastifyInstance,
  health: () => Promise<Health>,
  to: 'operators' | 'everybody',
): void {
  app.get('/health/ready', async (_request, reply) => {
    const found = await health();
    if (!found.isReady) reply.header('retry-after', '5');
    const told = to === 'operators' ? found : { isReady: found.isReady };
    return reply.status(found.isReady ? 200 : 503).send(told);
  });
  // Whether this process is to be started anew: not because its database is away, which that would not bring back.
  app.get('/health/live', () => ({ alive: true }));
}
