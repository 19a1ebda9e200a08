import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readAnswers } from '../../../../test/support/wire.ts';
import { startSuite } from '../../../../test/support/suite.ts';

const suite = startSuite();

/** Sends the bytes as they are, and reads what is answered until the connection ends. */
function send(text: string): Promise<Buffer> {
  const { port } = new URL(suite.product.url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.on('error', reject);
    socket.end(text, 'latin1');
  });
}

const HOST = 'host: a\r\n';

test.each([
  ['no message at all', '\x16\x03\x01\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['a method in small letters', `get /api/me HTTP/1.1\r\n${HOST}\r\n`, 400, 'INVALID_REQUEST'],
  [
    'two lengths',
    `POST /api/me HTTP/1.1\r\n${HOST}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    400,
    'INVALID_REQUEST',
  ],
  [
    'a control character in a header',
    `GET /api/me HTTP/1.1\r\n${HOST}x: \x01\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  [
    'headers without an end',
    `GET /api/me HTTP/1.1\r\n${HOST}x: ${'a'.repeat(20_000)}\r\n\r\n`,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  [
    'an address that cannot be read',
    `GET /api/me% HTTP/1.1\r\n${HOST}connection: close\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  ['no host', 'GET /api/me HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'INVALID_REQUEST'],
  [
    'an unknown expectation',
    `GET /api/me HTTP/1.1\r\n${HOST}expect: wonders\r\nconnection: close\r\n\r\n`,
    401,
    'UNAUTHENTICATED',
  ],
])(
  '%s is refused with the envelope, and with the headers that all answers have',
  async (_title, text, status, code) => {
    const [answer, ...more] = readAnswers(await send(text), 'GET');
    expect(more).toEqual([]);
    expect(answer?.status).toBe(status);
    expect(JSON.parse(answer?.body.toString() ?? '')).toMatchObject({
      error: { code, message: expect.any(String) as string },
    });
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'x-frame-options',
    ]) {
      expect([name, answer?.headers.has(name)]).toEqual([name, true]);
    }
  },
);
