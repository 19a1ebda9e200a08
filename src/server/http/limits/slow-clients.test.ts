import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PATIENCE_MS } from '../../../../scripts/outside/wait-for.ts';
import { CONNECTION_LIMITS } from './connections.ts';
import { createHttpServer } from '../server.ts';

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

/** All that the server says until it ends the connection. */
async function said(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  // Not events.once, which rejects on EPIPE: a write can meet a connection that the server has just closed.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

function isRefusal(text: string, status: number, code: string): void {
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text).toContain('x-content-type-options: nosniff');
  const body: unknown = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
  expect(body).toMatchObject({ error: { code } });
}

describe('a client that takes its time', () => {
  test('with the headers is refused, in the words of every refusal, and its connection ends', async () => {
    const socket = await open();
    const dripping = setInterval(() => socket.write('x'), 30);
    socket.once('data', () => clearInterval(dripping));
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nx-long: ');
    const text = await said(socket).finally(() => clearInterval(dripping));
    isRefusal(text, 400, 'INVALID_REQUEST');
  });

  test('with the body is refused, however steadily it goes on', async () => {
    const socket = await open();
    socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n',
    );
    const dripping = setInterval(() => socket.write(' '), 30);
    socket.once('data', () => clearInterval(dripping));
    const text = await said(socket).finally(() => clearInterval(dripping));
    isRefusal(text, 400, 'INVALID_REQUEST');
  });

  test('to read the answer loses its connection', async () => {
    const socket = await open();
    socket.pause();
    socket.write('GET /long HTTP/1.1\r\nhost: a\r\n\r\n');
    const count = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, open_) => resolve(open_)));
    await expect.poll(count, { timeout: PATIENCE_MS, interval: 20 }).toBe(0);
  });

  test('between two requests loses its connection', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    expect(await said(socket)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('what cannot be read as a request', () => {
  test('headers beyond 16 kB are refused', async () => {
    const socket = await open();
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`);
    isRefusal(await said(socket), 413, 'PAYLOAD_TOO_LARGE');
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header in two lines', 'GET / HTTP/1.1\r\nhost: a\r\nx-a: b\r\n c: d\r\n\r\n'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx-a: b\nx-c\n: d\r\n\r\n'],
  ])('%s is refused', async (_title, bytes) => {
    const socket = await open();
    socket.write(bytes);
    expect(await said(socket)).toMatch(/^HTTP\/1.1 400 /);
  });

  test('a body that says it is huge is refused before it comes', async () => {
    const socket = await open();
    socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n',
    );
    expect(await said(socket)).toMatch(/^HTTP\/1.1 413 [^]*PAYLOAD_TOO_LARGE/);
  });
});

test('more connections than maxConnections are dropped, the others are served', async () => {
  const kept = [await open(), await open(), await open()];
  const fourth = await open();
  expect(await said(fourth)).toBe('');
  kept[0]?.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  expect(await said(kept[0] as Socket)).toMatch(/^HTTP\/1.1 200 /);
});

test('the product sets the limits of Node and Fastify', async () => {
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
