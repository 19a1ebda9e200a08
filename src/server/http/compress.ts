import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from './routes/documents.ts';

const gzipped = promisify(gzip);

/** Smaller ones travel in a few packets anyway. */
const WORTH_IT_BYTES = 8 * 1024;

/**
 * Replies of the API that are long, as lists of thousands of campaigns are. What they are about is asked for with a
 * token in a header, so that nobody else can have them made, and learn from their length what is in them.
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
