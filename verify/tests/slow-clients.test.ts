import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WAIT_MS } from '../../scripts/outside/wait-for.ts';
import { CONNECTION_LIMITS } from '../../src/server/http/limits/connections.ts';
import { createHttpServer } from '../../src/server/http/server.ts';

const SHORT_LIMITS = {
  headersMs: 200,
  requestMs: 400,
  inactivityMs: 600,
  keepAliveMs: 200,
  checkMs: 20,
  connections: 3,
};

let app: FastifyInstance;
const sockets: Socket[] = [];

beforeEach(async () => {
  app = createHttpServer({ logLevel: 'silent', limits: SHORT_LIMITS });
  app.post('/', ({ body }) => ({ body }));
  app.get('/', () => ({ ok: true }));
  app.get('/long', () => 'x'.repeat(50_000_000));
  await app.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function open(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Resolves with everything that the server sends until it closes the connection. */
async function said(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  // Not events.once, which rejects on EPIPE: a write can race with the close by the server.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

function isRefusal(text: string, status: number, code: string): void {
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text).toContain('x-content-type-options: nosniff');
  const body: unknown = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
  expect(body).toMatchObject({ error: { code } });
}

describe('a slow client', () => {
  test('that sends headers slowly gets the error envelope, and its connection closes', async () => {
    const socket = await open();
    const dripping = setInterval(() => socket.write('x'), 30);
    socket.once('data', () => clearInterval(dripping));
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nx-long: ');
    const text = await said(socket).finally(() => clearInterval(dripping));
    isRefusal(text, 400, 'INVALID_REQUEST');
  });

  test('that sends a body slowly but steadily is rejected', async () => {
    const socket = await open();
    socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n',
    );
    const dripping = setInterval(() => socket.write(' '), 30);
    socket.once('data', () => clearInterval(dripping));
    const text = await said(socket).finally(() => clearInterval(dripping));
    isRefusal(text, 400, 'INVALID_REQUEST');
  });

  test('that does not read the response loses its connection', async () => {
    const socket = await open();
    socket.pause();
    socket.write('GET /long HTTP/1.1\r\nhost: a\r\n\r\n');
    const count = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, open_) => resolve(open_)));
    await expect.poll(count, { timeout: WAIT_MS, interval: 20 }).toBe(0);
  });

  test('that idles between two requests loses its connection', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    expect(await said(socket)).toMatch(/^HTTP\/1.1 200 /);
  });
});

test('a body with a huge content-length is rejected before it is received', async () => {
  const socket = await open();
  socket.write(
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n',
  );
  expect(await said(socket)).toMatch(/^HTTP\/1.1 413 [^]*PAYLOAD_TOO_LARGE/);
});

test('connections above maxConnections are dropped, the others are served', async () => {
  const kept = [await open(), await open(), await open()];
  const fourth = await open();
  expect(await said(fourth)).toBe('');
  kept[0]?.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(await said(kept[0] as Socket)).toMatch(/^HTTP\/1.1 200 /);
});

test('the server sets the limits of Node and Fastify', async () => {
  const patient = createHttpServer({ logLevel: 'silent' });
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = patient.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
    headersTimeout: 20_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
    timeout: 120_000,
    maxConnections: 10_000,
  });
  expect(CONNECTION_LIMITS.checkMs).toBeLessThanOrEqual(5_000);
  await patient.close();
});
