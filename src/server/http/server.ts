import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fastify, { LogController } from 'fastify';
import type { Hub } from '../live/hub.ts';
import { REDACTED, withoutSecrets } from '../log.ts';
import type { OperationDeps } from '../operations/deps.ts';
import { serveCallbacks, serveStripeWebhook } from './callbacks.ts';
import { compressReply } from './compress.ts';
import { serveEvents } from './events.ts';
import { answerError, installErrorEnvelope } from './faults.ts';
import { serveLogin } from './login.ts';
import { BARE_HEADERS, refuseBytes, takeEveryRequest } from './no-request.ts';
import type { PagesOptions } from './pages.ts';
import { servePages } from './pages.ts';
import { serveApi } from './serve.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;

/** The HTTP server without its routes: what every answer has in common. */
export function createHttpServer(options: {
  logLevel: string;
  trustProxy?: number | string[];
  /** Where the log goes; standard output unless given. */
  logTo?: NodeJS.WritableStream | undefined;
}): FastifyInstance {
  const app = fastify({
    logger: {
      level: options.logLevel,
      redact: { paths: REDACTED, censor: '[removed]' },
      ...(options.logTo === undefined ? {} : { stream: options.logTo }),
    },
    // Our own line below leaves secrets out of addresses.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustOf(options.trustProxy ?? 0),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    // These come before the hooks that add headers.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(BARE_HEADERS)),
    clientErrorHandler: refuseBytes,
    // Refused by us, with what all our answers have.
    http: { requireHostHeader: false },
  });
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body.toString(), done);
  });
  installErrorEnvelope(app);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime);
    request.log.debug({ method, url: withoutSecrets(url), status: reply.statusCode, ms }, 'answered');
    done();
  });
  return app;
}

/** None: nobody in front is believed. */
function trustOf(proxies: number | string[]) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

export async function addRoutes(
  app: FastifyInstance,
  args: {
    deps: OperationDeps;
    /** Null where no page is served. */
    hub: Hub | null;
    publicUrl: string;
    pages: PagesOptions;
    isHealthy: () => Promise<boolean>;
  },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: args.publicUrl.startsWith('https:'),
  });
  await app.register(cookie);
  await app.register(rateLimit, { global: false, timeWindow: '1 minute' });
  takeEveryRequest(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    done();
  });
  app.addHook('onSend', compressReply);
  serveApi(app, args.deps);
  if (args.hub !== null) serveEvents(app, args.deps, args.hub);
  serveLogin(app, args.deps, args.publicUrl);
  await app.register((scope) => serveCallbacks(scope, args.deps));
  await app.register((scope) => serveStripeWebhook(scope, args.deps));
  app.get('/health', async (_request, reply) => {
    const healthy = await args.isHealthy();
    return reply.status(healthy ? 200 : 503).send({ healthy });
  });
  await servePages(app, { ...args.pages, publicUrl: args.publicUrl });
}
