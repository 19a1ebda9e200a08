import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#contract/errors.ts';
import { EVENTS_PATH } from '#contract/live-updates.ts';
import type { Needs } from '../services/deps.ts';
import type { Streams } from '../realtime/streams.ts';
import { documentationOf, requireSession } from './api-routes.ts';

const RETRY_AFTER_S = '300';

/** Server-sent events. The session token is in a header, which the browser's EventSource cannot send. */
export function serveEvents(app: FastifyInstance, deps: Needs<'db' | 'clock'>, streams: Streams): void {
  const options = {
    schema: { operationId: 'events', ...documentationOf('user') },
    preValidation: requireSession(deps, 'user', 'openedStreams'),
    exposeHeadRoute: false,
  };
  app.get(EVENTS_PATH, options, (request, reply) => {
    const { user, sessionId } = request.session;
    if (!streams.hasRoomFor(user.id)) {
      reply.header('retry-after', RETRY_AFTER_S);
      throw new ApiError('TOO_MANY_REQUESTS');
    }
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // Nginx: do not buffer.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    raw.flushHeaders();
    request.raw.socket.setKeepAlive(true, 60_000);
    const remove = streams.open({ userId: user.id, sessionId, roles: user.roles, response: raw });
    raw.on('close', remove);
    raw.on('error', remove);
    // The client may have disconnected during the session lookup.
    if (raw.destroyed) remove();
  });
  // A closing server waits for its responses, and event streams do not end by themselves.
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
}
