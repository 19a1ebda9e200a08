import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import type { RefusalCode } from '#contract/errors.ts';
import { seconds } from '#core/time.ts';
import { envelopeOf } from './faults.ts';

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

export function connectionOptions(patience: Patience) {
  return {
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    keepAliveTimeout: patience.keepAliveMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    clientErrorHandler: refuseUnread,
  } satisfies FastifyHttpOptions<Server>;
}

const UNREAD: Record<string, { status: number; code: RefusalCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'INVALID_REQUEST', message: 'The request came too slowly.' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', message: 'The headers are too large.' },
};
const UNREADABLE = {
  status: 400,
  code: 'INVALID_REQUEST',
  message: 'The request could not be read.',
} as const;

/** What never became a request is refused in the same words as the others. */
function refuseUnread(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, code, message } = UNREAD[error.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify(envelopeOf(code, message));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  if (socket.writable) socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  else socket.destroy();
}
