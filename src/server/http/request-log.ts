import type { FastifyInstance } from 'fastify';
import type { RequestContext } from '../observability/request-context.ts';
import { contextForLog, runInContext } from '../observability/request-context.ts';
import { withoutSecrets } from '../observability/log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

export interface HandledRequest {
  method: string;
  /** The registered pattern, such as /api/campaigns/:accountId; never the requested path. */
  route: string;
  status: number;
  ms: number;
}

/** Adds the request context to each log line. A request's own logger has its id already. */
export function mixin(_given: object, _level: number, logger: { bindings: () => object }): object {
  const { request, ...rest } = contextForLog();
  return request === undefined || 'request' in logger.bindings() ? rest : { request, ...rest };
}

/** Counts and logs each request, from its first byte to the last byte of its response. */
export function watchRequests(
  app: FastifyInstance,
  onResponse: ((request: HandledRequest) => void) | null,
): void {
  app.decorateRequest('context');
  app.addHook('onRequest', (request, reply, done) => {
    request.context = { request: request.id, user: null };
    void reply.header('x-request-id', request.id);
    runInContext(request.context, done);
  });
  // Body parsing runs in events of the connection, outside the request context: restore it.
  app.addHook('preValidation', (request, _reply, done) => {
    runInContext(request.context, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, context } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    const ms = Math.round(reply.elapsedTime);
    const details = { method, url: withoutSecrets(url), status, ms };
    request.log.debug(
      { ...details, ...(context.user !== null && { user: context.user }) },
      'request completed',
    );
    onResponse?.({ method, route, status, ms: reply.elapsedTime });
    done();
  });
}
