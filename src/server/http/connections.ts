import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { seconds } from '#core/time.ts';
import { refuseBytes } from './no-request.ts';

/** How patient the server is with a connection, and with how many. */
export interface Patience {
  /** All headers of a request have come. */
  headersMs: number;
  /** The whole request has come. */
  requestMs: number;
  /** Nothing moves in either direction; open pages are told something more often than that. */
  silenceMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** How often it looks who is late. */
  checkMs: number;
  connections: number;
}

export const PATIENCE: Patience = {
  headersMs: seconds(20),
  requestMs: seconds(60),
  silenceMs: seconds(120),
  keepAliveMs: seconds(72),
  checkMs: seconds(5),
  connections: 10_000,
};

const MAX_HEADER_BYTES = 16 * 1024;

export function connectionOptions(patience: Patience, safety: Record<string, string>) {
  return {
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    keepAliveTimeout: patience.keepAliveMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Whoever names no host is refused by us, with what all our answers have.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, safety),
  } satisfies FastifyHttpOptions<Server>;
}
