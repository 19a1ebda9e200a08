import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorEnvelope, RefusalCode } from '#contract/errors.ts';
import { REFUSALS, Refusal } from '#contract/errors.ts';
import { minutes } from '#core/time.ts';
import { isDatabaseUnavailable } from '../db/pool/pool.ts';
import { withoutSecrets } from '../observability/log.ts';
import { Seldom } from './limits/seldom.ts';

/** In seconds: a database that was restarted is there again after that. */
const RETRY_AFTER = '5';

/** What the HTTP server itself refuses, in our words. */
const BY_STATUS: Record<number, RefusalCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  429: 'TOO_MANY_REQUESTS',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Which of them are worth a line of the log. */
    refusals: Seldom;
  }
}

/** One place where everything that goes wrong becomes the error envelope. */
export function installErrorEnvelope(app: FastifyInstance): void {
  const refusals = new Seldom(minutes(1), (what, count) => app.log.info({ what, count }, 'refused again'));
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
    request.log.warn({ err: error }, 'a request could not be answered for want of the database');
    return refuse(reply.header('retry-after', RETRY_AFTER), 'TRY_LATER');
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status >= 400 && status < 500) {
    const code = BY_STATUS[status] ?? 'INVALID_REQUEST';
    noteRefusal(request, code);
    // How long it is.
    if (status === 416 && 'headers' in error) reply.headers(error.headers as Record<string, string>);
    return refuse(reply, code);
  }
  request.log.error({ err: error }, 'a request failed');
  return reply.status(500).send(envelopeOf('SERVER_ERROR', REFUSALS.SERVER_ERROR.message, request.id));
}

/**
 * Whoever looks for an attack afterwards sees who was refused what, and from where. What can come without end, from those
 * whom we do not know or who ask too often, is told once a minute and counted.
 */
function noteRefusal(request: FastifyRequest, code: RefusalCode): void {
  const { method, url, ip, personId, server } = request;
  const isBounded = personId !== null && code !== 'TOO_MANY_REQUESTS';
  if (!isBounded && !server.refusals.isFirst(`${code} ${ip}`)) return;
  request.log.info({ code, method, url: withoutSecrets(url), address: ip, person: personId }, 'refused');
}

export function refuse(reply: FastifyReply, code: RefusalCode, message?: string): FastifyReply {
  const { status, message: usual } = REFUSALS[code];
  return reply.status(status).send(envelopeOf(code, message ?? usual));
}

export function envelopeOf(code: RefusalCode, message: string, id?: string): ErrorEnvelope {
  return { error: { code, message, ...(id === undefined ? {} : { id }) } };
}
