import type { FastifyInstance } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalCode } from '#contract/errors.ts';
import { REFUSALS, Refusal } from '#contract/errors.ts';
import { envelopeOf } from '../error-envelope.ts';

const WHY: Record<string, { code: RefusalCode; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'INVALID_REQUEST', message: 'The request came too slowly.' },
  HPE_HEADER_OVERFLOW: { code: 'PAYLOAD_TOO_LARGE', message: 'The headers are too large.' },
};
const UNREADABLE = { code: 'INVALID_REQUEST', message: 'The request could not be read.' } as const;

/** Malformed or incomplete requests also get the error envelope. */
export function refuseBytes(error: { code?: string }, socket: Socket, safety: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // A browser opens connections ahead of its requests, and would take this for the response to the next one.
  const isUnused = socket.bytesRead === 0;
  if (socket.writable && !isUnused) {
    const { code, message } = WHY[error.code ?? ''] ?? UNREADABLE;
    const { status } = REFUSALS[code];
    const body = JSON.stringify(envelopeOf(code, message));
    const headers = {
      ...safety,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  }
  socket.destroySoon();
}

/**
 * Routes the requests that Node answers by itself through Fastify, for the security headers and the envelope.
 */
export function takeEveryRequest(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', (request, _reply, done) => {
    const isMissing = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(isMissing ? new Refusal('INVALID_REQUEST', 'Host: missing') : undefined);
  });
}
