import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import type { FastifyUnderPressureOptions } from '@fastify/under-pressure';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify, { LogController } from 'fastify';
import { ApiError } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import type { Cached } from '../cached.ts';
import type { DatabaseState } from '../health.ts';
import { REDACTED } from '../observability/log.ts';
import type { ServiceDeps } from '../services/deps.ts';
import type { PublicStatus } from '../services/status/public-status.ts';
import type { Streams } from '../realtime/streams.ts';
import { serveApi } from './api-routes.ts';
import { sendApiError, sendError } from './error-handler.ts';
import { serveEvents } from './event-stream.ts';
import { serveEvidence } from './evidence/routes.ts';
import { serveUnsubscribe } from './unsubscribe.ts';
import { serveHealth } from './health-routes.ts';
import { serveLogin } from './login-routes.ts';
import { serveOpenApi } from './openapi.ts';
import type { PagesOptions } from './pages.ts';
import { servePages } from './pages.ts';
import { servePublicStatus } from './public-status/routes.ts';
import type { RateLimits } from './rate-limits.ts';
import { RATE_LIMITS, installRateLimits } from './rate-limits.ts';
import type { HandledRequest } from './request-log.ts';
import { mixin, watchRequests } from './request-log.ts';
import { installSecurityHeaders } from './security-headers.ts';
import { serveMetaCallbacks, serveStripeWebhook } from './webhook-routes.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

/** The proxy limits connections per client address (docs/deploy.md). */
const CONNECTION_LIMITS = {
  /** Until the whole request has arrived. */
  requestTimeout: seconds(60),
  /** Without a byte in either direction; longer than the heartbeat of a stream. */
  connectionTimeout: seconds(120),
  /** Until all headers of a request have arrived. */
  http: { headersTimeout: seconds(20) },
};
const MAX_CONNECTIONS = 10_000;

/** While the event loop has been late for five seconds; one long collection of garbage refuses nothing. */
const PRESSURE = { maxEventLoopDelay: seconds(1), sampleInterval: seconds(5) };

/** Only API calls, which pages repeat: Meta may send a callback once, and a browser shows a login or page as it is. */
function refuseApiCall(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  if (request.routeOptions.url?.startsWith('/api/') !== true) return undefined;
  reply.header('retry-after', '5');
  return Promise.reject(new ApiError('TRY_LATER'));
}

/** The HTTP server without its routes: limits, headers, errors and logging. */
export function createHttpServer(options: {
  logLevel: string;
  trustProxy?: number | string[];
  /** Browsers use https only. */
  isEncrypted?: boolean;
  /** Log destination; standard output by default. */
  logTo?: NodeJS.WritableStream | undefined;
  limits?: typeof CONNECTION_LIMITS & { http: { connectionsCheckingInterval?: number } };
  pressure?: FastifyUnderPressureOptions;
  onResponse?: (request: HandledRequest) => void;
}): FastifyInstance {
  const app = fastify({
    logger: {
      level: options.logLevel,
      redact: { paths: REDACTED, censor: '[removed]' },
      mixin,
      ...(options.logTo === undefined ? {} : { stream: options.logTo }),
    },
    // Our own log line removes secrets from URLs.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustOf(options.trustProxy ?? 0),
    ...(options.limits ?? CONNECTION_LIMITS),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    // An address that cannot be read has no route and no hooks.
    frameworkErrors: (_error, _request, reply) => void sendApiError(reply, 'INVALID_REQUEST'),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  watchRequests(app, options.onResponse ?? null);
  installSecurityHeaders(app, options.isEncrypted ?? false);
  void app.register(underPressure, {
    ...(options.pressure ?? PRESSURE),
    pressureHandler: refuseApiCall,
  });
  app.setErrorHandler(sendError);
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
  // A keep-alive client, such as a proxy, would keep its connection and delay the shutdown for a minute.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (!app.server.listening) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  return app;
}

/** @param proxies how many there are, or their addresses */
function trustOf(proxies: number | string[]) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

export async function addRoutes(
  app: FastifyInstance,
  args: {
    deps: ServiceDeps;
    /** Null where no page is served. */
    streams: Streams | null;
    pages: PagesOptions;
    publicStatus: Cached<PublicStatus>;
    health: () => Promise<DatabaseState>;
    rateLimits: Partial<RateLimits>;
  },
): Promise<void> {
  const { deps, pages } = args;
  const { publicUrl } = pages;
  const limits = { ...RATE_LIMITS, ...args.rateLimits };
  // Pages take their time from it, so it is of the same clock as all other times in a response.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('date', new Date(deps.clock.now()).toUTCString());
    done();
  });
  await app.register(cookie);
  await installRateLimits(app, limits);
  // No BREACH risk: the token is in a header, so another site cannot request private data and learn from its length.
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false });
  await serveOpenApi(app, publicUrl);
  serveApi(app, deps);
  if (args.streams !== null) serveEvents(app, deps, args.streams);
  serveLogin(app, deps, { publicUrl, limits });
  await app.register((scope) => serveMetaCallbacks(scope, deps, limits));
  await app.register((scope) => serveStripeWebhook(scope, deps, limits));
  serveHealth(app, args.health);
  const landing = await servePages(app, pages);
  const banner = pages.demo?.banner ?? '';
  serveEvidence(app, deps);
  await app.register((scope) => serveUnsubscribe(scope, deps));
  servePublicStatus(app, args.publicStatus, { publicUrl, landing, banner });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_request, reply) =>
    sendApiError(reply, 'NOT_FOUND'),
  );
}
