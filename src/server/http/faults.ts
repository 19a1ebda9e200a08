import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorEnvelope, RefusalCode } from '#contract/errors.ts';
import { REFUSALS, Refusal } from '#contract/errors.ts';

/** What the HTTP server itself refuses, in our words. */
const BY_STATUS: Record<number, RefusalCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
};

/** One place where everything that goes wrong becomes the error envelope. */
export function installErrorEnvelope(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
}

export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return refuse(reply, error.code, error.message);
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status >= 400 && status < 500) return refuse(reply, BY_STATUS[status] ?? 'INVALID_REQUEST');
  request.log.error({ err: error }, 'a request failed');
  return reply.status(500).send(envelope('SERVER_ERROR', REFUSALS.SERVER_ERROR.message, request.id));
}

export function refuse(reply: FastifyReply, code: RefusalCode, message?: string): FastifyReply {
  const { status, message: usual } = REFUSALS[code];
  return reply.status(status).send(envelope(code, message ?? usual));
}

export function envelope(code: RefusalCode, message: string, id?: string): ErrorEnvelope {
  return { error: { code, message, ...(id === undefined ? {} : { id }) } };
}
