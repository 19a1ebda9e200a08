import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import fastify, { LogController } from 'fastify';
import type { Health } from '../health.ts';
import { REDACTED } from '../observability/log.ts';
import type { ServiceDeps } from '../services/deps.ts';
import type { Streams } from '../realtime/streams.ts';
import { serveCallbacks, serveStripeWebhook } from './routes/callbacks.ts';
import { compressReply } from './compress.ts';
import type { ConnectionLimits } from './limits/connections.ts';
import { CONNECTION_LIMITS, connectionOptions } from './limits/connections.ts';
import { serveEvents } from './routes/events.ts';
import { answerError, installErrorEnvelope } from './error-envelope.ts';
import { safetyHeaders } from './headers.ts';
import { serveHealth } from './routes/health.ts';
import type { RateLimits } from './limits/limits.ts';
import { RATE_LIMITS, installLimits } from './limits/limits.ts';
import { serveLogin } from './routes/login.ts';
import { takeEveryRequest } from './limits/no-request.ts';
import type { PagesOptions } from './routes/pages.ts';
import { servePages } from './routes/pages.ts';
import { serveOpenApi } from './reference/openapi.ts';
import { serveApi } from './routes/serve.ts';
import type { Answered } from './watch.ts';
import { mixin, watchRequests } from './watch.ts';

/** Version of the API, as in the OpenAPI document. */
const VERSION = '0.1.0';
const BODY_LIMIT_BYTES = 64 * 1024;

/** The HTTP server without its routes: limits, headers, errors and logging. */
export function createHttpServer(options: {
  logLevel: string;
  trustProxy?: number | string[];
  /** Browsers use https only. */
  isEncrypted?: boolean;
  /** Log destination; standard output by default. */
  logTo?: NodeJS.WritableStream | undefined;
  limits?: ConnectionLimits;
  onAnswer?: (answered: Answered) => void;
}): FastifyInstance {
  const { limits = CONNECTION_LIMITS, isEncrypted = false } = options;
  const safety = safetyHeaders({ isEncrypted });
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
    ...connectionOptions(limits, safety),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    // Framework errors occur before the hooks that add headers.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(safety)),
  });
  app.server.maxConnections = limits.connections;
  watchRequests(app, options.onAnswer ?? null);
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safety);
    done();
  });
  installErrorEnvelope(app);
  closeConnections(app);
  return app;
}

/**
 * On shutdown, close connections after their response. Otherwise a keep-alive client, such as a proxy,
 * keeps its connection for minutes, and the server waits for it.
 */
function closeConnections(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done();
  });
  // Responses that had started before the shutdown.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}

/** Null trusts no proxy. */
function trustOf(proxies: number | string[]) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

export async function addRoutes(
  app: FastifyInstance,
  args: {
    deps: ServiceDeps;
    /** Null where no page is served. */
    streams: Streams | null;
    publicUrl: string;
    pages: PagesOptions;
    /** State of the database. */
    readiness: () => Promise<'fine' | 'slow' | 'gone'>;
    health: () => Promise<Health>;
    rateLimits: Partial<RateLimits>;
  },
): Promise<void> {
  await app.register(cookie);
  takeEveryRequest(app);
  const limits = { ...RATE_LIMITS, ...args.rateLimits };
  await installLimits(app, limits);
  app.addHook('onSend', compressReply);
  serveApi(app, args.deps);
  if (args.streams !== null) serveEvents(app, args.deps, args.streams);
  serveLogin(app, args.deps, { publicUrl: args.publicUrl, limits });
  await app.register((scope) => serveCallbacks(scope, args.deps, limits));
  await app.register((scope) => serveStripeWebhook(scope, args.deps, limits));
  app.get('/health', async (_request, reply) => {
    const database = await args.readiness();
    const healthy = database === 'fine';
    if (!healthy) reply.header('retry-after', '5');
    return reply.status(healthy ? 200 : 503).send(healthy ? { healthy } : { healthy, database });
  });
  serveHealth(app, args.health, 'everybody');
  serveOpenApi(app, { publicUrl: args.publicUrl, version: VERSION });
  await servePages(app, { ...args.pages, publicUrl: args.publicUrl });
}
