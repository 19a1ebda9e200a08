import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { seconds } from '#core/time.ts';
import { refuseBytes } from './no-request.ts';

/** Node's connection limits. The proxy limits connections per client address (docs/deploy.md). */
export const CONNECTION_LIMITS = {
  /** Until all headers of a request have arrived. */
  headersMs: seconds(20),
  /** Until the whole request has arrived. */
  requestMs: seconds(60),
  /** Without a byte in either direction; longer than the heartbeat of a stream. */
  inactivityMs: seconds(120),
  /** Between two requests. */
  keepAliveMs: seconds(72),
  /** How often Node looks for requests that exceed these times. */
  checkMs: seconds(5),
  connections: 10_000,
};
export type ConnectionLimits = typeof CONNECTION_LIMITS;

/**
 * Connections that wait to be accepted, for instance when all pages reconnect after a deployment.
 * The kernel silently drops more.
 */
export const BACKLOG = 4096;

const MAX_HEADER_BYTES = 16 * 1024;

export function connectionOptions(limits: ConnectionLimits, safety: Record<string, string>) {
  return {
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.inactivityMs,
    keepAliveTimeout: limits.keepAliveMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Our own check refuses a request without a host, with the headers of every response.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, safety),
  } satisfies FastifyHttpOptions<Server>;
}
