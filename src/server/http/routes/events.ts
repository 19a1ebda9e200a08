import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { EVENTS_PATH } from '#contract/live-updates.ts';
import type { OperationDeps } from '../../services/deps.ts';
import type { Streams } from '../../realtime/streams.ts';
import { requireSession } from './serve.ts';

const RETRY_AFTER_S = '300';

/** Server-sent events. The session travels in a header, which the browser's EventSource cannot send. */
export function serveEvents(app: FastifyInstance, deps: OperationDeps, streams: Streams): void {
  app.get(EVENTS_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { person, sessionId } = await requireSession(deps, request, reply);
    await request.countFor('openingStreams', person.id, reply);
    if (!streams.hasRoomFor(person.id)) {
      reply.header('retry-after', RETRY_AFTER_S);
      throw new Refusal('TOO_MANY_REQUESTS');
    }
    const { raw } = reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      // Tells a proxy not to buffer.
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    raw.flushHeaders();
    request.raw.socket.setKeepAlive(true, 60_000);
    const remove = streams.open({ userId: person.id, sessionId, roles: person.roles, response: raw });
    raw.on('close', remove);
    raw.on('error', remove);
    // The client may have gone while its session was looked up.
    if (raw.destroyed) remove();
  });
  // A server that closes waits for its responses, and these do not end by themselves.
  app.addHook('preClose', (done) => {
    streams.close();
    done();
  });
}
