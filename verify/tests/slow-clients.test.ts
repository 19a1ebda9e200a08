import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../../src/server/http/server.ts';

const LIMITS = {
  ...{ requestTimeout: 400, connectionTimeout: 600 },
  http: { headersTimeout: 200, connectionsCheckingInterval: 20 },
};

let app: FastifyInstance;

beforeAll(async () => {
  app = createHttpServer({ logLevel: 'silent', limits: LIMITS });
  app.post('/', ({ body }) => ({ body }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

async function open(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything that the server sends until it closes the connection. */
async function receivedOn(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

const JSON_OF = (bytes: number) =>
  `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;

test.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: a\r\nx-long: ', 408],
  ['a body', JSON_OF(5000), 408],
  ['too large a body', JSON_OF(99_999_999), 413],
])('a client that sends %s slowly is refused and cut off', async (_what, start, status) => {
  const socket = await open();
  const dripping = setInterval(() => socket.write(' '), 30);
  socket.once('data', () => clearInterval(dripping));
  socket.write(start);
  const text = await receivedOn(socket).finally(() => clearInterval(dripping));
  expect(text).toMatch(`HTTP/1.1 ${status} `);
});
