import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorEnvelope, ApiErrorCode } from '#contract/errors.ts';
import { API_ERRORS, ApiError } from '#contract/errors.ts';
import { isDatabaseUnavailable } from '../db/pool.ts';
import { withoutSecrets } from '../observability/log.ts';

/** In seconds: a restarted database is usually available by then. */
const RETRY_AFTER = '5';

/** Errors of Fastify and its plugins, as API errors. */
const BY_STATUS: Record<number, ApiErrorCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'TRY_LATER',
};

/** Converts every error into the error envelope. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    logApiError(request, error.code);
    return sendApiError(reply, error.code, error.message);
  }
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ err: error }, 'request failed: database unavailable');
    return sendApiError(reply.header('retry-after', RETRY_AFTER), 'TRY_LATER');
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  const code = BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'INVALID_REQUEST' : 'SERVER_ERROR');
  if (code === 'SERVER_ERROR') {
    request.log.error({ err: error }, 'request failed');
    return sendApiError(reply, code, API_ERRORS[code].message, request.id);
  }
  logApiError(request, code);
  return sendApiError(reply, code);
}

/** For security audits: who, what and from where. What an address or an overload can cause without end is debug. */
function logApiError({ method, url, ip, context, log }: FastifyRequest, code: ApiErrorCode): void {
  const level = code === 'TOO_MANY_REQUESTS' || code === 'TRY_LATER' ? 'debug' : 'info';
  const user = context.user;
  log[level]({ code, method, url: withoutSecrets(url), address: ip, user }, 'refused');
}

export function sendApiError(
  reply: FastifyReply,
  code: ApiErrorCode,
  message: string = API_ERRORS[code].message,
  id?: string,
): FastifyReply {
  const envelope: ErrorEnvelope = { error: { code, message, ...(id !== undefined && { id }) } };
  return reply.status(API_ERRORS[code].status).send(envelope);
}
