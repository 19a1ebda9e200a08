import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Behalf } from '../observability/behalf.ts';
import { behalfForLog, onBehalfOf } from '../observability/behalf.ts';
import { withoutSecrets } from '../observability/log.ts';
import type { RequestSpan } from '../observability/spans.ts';
import { startRequestSpan } from '../observability/spans.ts';

declare module 'fastify' {
  interface FastifyRequest {
    behalf: Behalf;
    span: RequestSpan;
  }
}

export interface Answered {
  method: string;
  /** As it was registered, such as /api/campaigns/:accountId; never what somebody has typed. */
  route: string;
  status: number;
  ms: number;
}

/** Loggers that name the request themselves. */
const ofRequest = new WeakSet<object>();

/** What the server needs to be made with, so that each request has an id of its own, in the log and in its answer. */
export const watchOptions = {
  genReqId: () => randomUUID(),
  childLoggerFactory(logger: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
    const child = logger.child(bindings);
    ofRequest.add(child);
    return child;
  },
};

/** What the log adds to each of its lines by itself. */
export function mixin(_given: object, _level: number, logger: object): object {
  const { request, ...rest } = behalfForLog();
  if (request === undefined || isOfRequest(logger)) return rest;
  return { request, ...rest };
}

function isOfRequest(logger: object): boolean {
  for (let one: object | null = logger; one !== null; one = Object.getPrototypeOf(one) as object | null) {
    if (ofRequest.has(one)) return true;
  }
  return false;
}

/** Each request is counted, traced, and named in the log, from its first byte to the last of its answer. */
export function watchRequests(app: FastifyInstance, onAnswer: ((answered: Answered) => void) | null): void {
  app.decorateRequest('behalf');
  app.decorateRequest('span');
  app.addHook('onRequest', (request, reply, done) => {
    request.behalf = { request: request.id, person: null };
    request.span = startRequestSpan(request.method);
    void reply.header('x-request-id', request.id);
    request.span.within(() => onBehalfOf(request.behalf, done));
  });
  // A body comes by events of its connection, which know nothing of the request.
  app.addHook('preHandler', (request, _reply, done) => {
    request.span.within(() => onBehalfOf(request.behalf, done));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, behalf } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime);
    const details = { method, url: withoutSecrets(url), status, ms };
    request.log.debug({ ...details, ...(behalf.person !== null && { person: behalf.person }) }, 'answered');
    request.span.end({ route, status });
    onAnswer?.({ method, route, status, ms: reply.elapsedTime });
    done();
  });
}
