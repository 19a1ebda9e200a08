import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CHANGES_PATH } from '#contract/changes.ts';
import { Refusal } from '#contract/errors.ts';
import type { Hub } from '../live/hub.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { requireSession } from './serve.ts';

/** In seconds: nothing that a page could do makes room, or lets us hear. */
const RETRY_AFTER = { full: '300', deaf: '60' };

/** The stream of changes. A page cannot use EventSource for it, which sends no header: it reads the answer bit by bit. */
export function serveEvents(app: FastifyInstance, deps: OperationDeps, hub: Hub): void {
  app.get(CHANGES_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { person, sessionId } = await requireSession(deps, request, reply);
    await request.countFor('openingStreams', person.id, reply);
    if (hub.isDeaf) {
      reply.header('retry-after', RETRY_AFTER.deaf);
      throw new Refusal('LIVE_UNAVAILABLE');
    }
    if (!hub.hasRoomFor(person.id)) {
      reply.header('retry-after', RETRY_AFTER.full);
      throw new Refusal('TOO_MANY_REQUESTS');
    }
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // A proxy that collects the answer before it passes it on would keep everything.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    request.raw.socket.setKeepAlive(true, 60_000);
    const forget = hub.open({ personId: person.id, sessionId, roles: person.roles }, raw);
    raw.on('close', forget);
    raw.on('error', forget);
    // Whoever went away while we asked for the session has told us so already.
    if (raw.destroyed) forget();
  });
  // A server that closes waits for its answers, and these have no end of their own.
  app.addHook('preClose', (done) => {
    hub.close();
    done();
  });
}
