import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from './routes/documents.ts';

const gzipped = promisify(gzip);

/** Smaller responses fit in a few packets. */
const WORTH_IT_BYTES = 8 * 1024;

/**
 * Compresses long API responses, such as lists of thousands of campaigns. No BREACH risk:
 * the token is in a header, so another site cannot request them and learn from their length.
 */
export async function compressReply(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.routeOptions.url?.startsWith('/api/') !== true || typeof payload !== 'string') return payload;
  if (payload.length < WORTH_IT_BYTES) return payload;
  void reply.header('vary', 'accept-encoding');
  if (!acceptedEncodings(request).has('gzip')) return payload;
  void reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return gzipped(payload, { level: constants.Z_BEST_SPEED });
}
