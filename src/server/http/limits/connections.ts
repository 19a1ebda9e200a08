import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { seconds } from '#core/time.ts';
import { refuseBytes } from './no-request.ts';

/** Node's own limits of a connection. Limits per client address are the proxy's (docs/deploy.md). */
export interface ConnectionLimits {
  /** Until all headers of a request have arrived. */
  headersMs: number;
  /** Until the whole request has arrived. */
  requestMs: number;
  /** Without a byte in either direction; longer than the heartbeat of a stream. */
  inactivityMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** How often Node looks for requests that exceed these times. */
  checkMs: number;
  connections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: seconds(20),
  requestMs: seconds(60),
  inactivityMs: seconds(120),
  keepAliveMs: seconds(72),
  checkMs: seconds(5),
  connections: 10_000,
};

/** Connections that wait to be accepted, as when all pages reconnect after a release. The kernel drops more without a message. */
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
