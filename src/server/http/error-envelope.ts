import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorEnvelope, RefusalCode } from '#contract/errors.ts';
import { REFUSALS, Refusal } from '#contract/errors.ts';
import { minutes } from '#core/time.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import { withoutSecrets } from '../observability/log.ts';
import { CountedLog } from './limits/counted-log.ts';

/** In seconds: a restarted database is usually available by then. */
const RETRY_AFTER = '5';

/** Rejections by the HTTP server itself, as API errors. */
const BY_STATUS: Record<number, RefusalCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  429: 'TOO_MANY_REQUESTS',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Decides which rejections are logged. */
    refusals: CountedLog;
  }
}

/** Converts every error into the error envelope. */
export function installErrorEnvelope(app: FastifyInstance): void {
  const refusals = new CountedLog(minutes(1), (what, count) =>
    app.log.info({ what, count }, 'refused again'),
  );
  app.decorate('refusals', refusals);
  app.addHook('onClose', (_app, done) => {
    refusals.tell();
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
}

export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) {
    noteRefusal(request, error.code);
    return refuse(reply, error.code, error.message);
  }
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ err: error }, 'request failed: database unavailable');
    return refuse(reply.header('retry-after', RETRY_AFTER), 'TRY_LATER');
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status >= 400 && status < 500) {
    const code = BY_STATUS[status] ?? 'INVALID_REQUEST';
    noteRefusal(request, code);
    // A 416 must name the total length.
    if (status === 416 && 'headers' in error) reply.headers(error.headers as Record<string, string>);
    return refuse(reply, code);
  }
  request.log.error({ err: error }, 'request failed');
  return reply.status(500).send(envelopeOf('SERVER_ERROR', REFUSALS.SERVER_ERROR.message, request.id));
}

/**
 * Logs rejections for security audits: who, what and from where.
 * Rejections of unknown or rate-limited clients are aggregated once a minute, since they are unbounded.
 */
function noteRefusal(request: FastifyRequest, code: RefusalCode): void {
  const { method, url, ip, userId, server } = request;
  const isBounded = userId !== null && code !== 'TOO_MANY_REQUESTS';
  if (!isBounded && !server.refusals.isFirst(`${code} ${ip}`)) return;
  request.log.info({ code, method, url: withoutSecrets(url), address: ip, user: userId }, 'refused');
}

export function refuse(reply: FastifyReply, code: RefusalCode, message?: string): FastifyReply {
  const { status, message: usual } = REFUSALS[code];
  return reply.status(status).send(envelopeOf(code, message ?? usual));
}

export function envelopeOf(code: RefusalCode, message: string, id?: string): ErrorEnvelope {
  return { error: { code, message, ...(id === undefined ? {} : { id }) } };
}
