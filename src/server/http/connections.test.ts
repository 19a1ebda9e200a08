import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { PATIENCE, neighbourhoodOf } from './connections.ts';
import { createHttpServer } from './server.ts';

let app: FastifyInstance;
let log: Record<string, unknown>[] = [];
const sockets: Socket[] = [];

const logTo = new Writable({
  write(chunk: Buffer, _encoding, done) {
    for (const line of chunk.toString().split('\n').filter(Boolean)) {
      log.push(JSON.parse(line) as Record<string, unknown>);
    }
    done();
  },
});

async function start(options: {
  trustProxy?: number | string[];
  perAddress?: number;
  connections?: number;
}): Promise<void> {
  log = [];
  const { trustProxy = 0, perAddress = 2, connections = 100 } = options;
  const patience = { ...PATIENCE, perAddress, connections };
  app = createHttpServer({ logLevel: 'warn', logTo, trustProxy, patience });
  app.get('/', () => ({ ok: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Asks on a connection of its own, which stays open. False: it is turned away. */
async function isServed(localAddress = '127.0.0.1'): Promise<boolean> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

test('an address keeps so many connections open, and is in the way of nobody else', async () => {
  await start({});
  expect([await isServed(), await isServed()]).toEqual([true, true]);
  expect([await isServed(), await isServed()]).toEqual([false, false]);
  expect(await isServed('127.0.0.2')).toBe(true);
  sockets[0]?.destroy();
  await waitFor('the place to be free', () => isServed());
});

test.each([
  ['a proxy of ours, by number', 1, true],
  ['a proxy of ours, by address', ['10.0.0.1', '127.0.0.0/8'], true],
  ['somebody else than the proxy', ['10.0.0.1', '::1'], false],
])('%s brings so many as there are', async (_who, trustProxy, expected) => {
  await start({ trustProxy });
  const served = [await isServed(), await isServed(), await isServed()];
  expect(served).toEqual([true, true, expected]);
});

test('who is turned away is told of once, and then counted', async () => {
  await start({});
  for (let time = 0; time < 7; time += 1) await isServed();
  expect(log).toEqual([
    expect.objectContaining({
      address: '127.0.0.1',
      msg: 'a connection was turned away: too many of its address',
    }),
  ]);
  await app.close();
  expect(log.slice(1)).toEqual([
    expect.objectContaining({ count: 4, msg: 'more connections were turned away' }),
  ]);
});

test('so is whoever comes when there is no room at all', async () => {
  await start({ perAddress: 100, connections: 1 });
  expect(await isServed()).toBe(true);
  expect([await isServed(), await isServed()]).toEqual([false, false]);
  expect(log).toEqual([
    expect.objectContaining({ address: '127.0.0.1', msg: 'a connection was turned away: too many in all' }),
  ]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1::5:6', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
])(
  '%s is counted as %s: who has one address of the sixth version has as many as they like',
  (address, of) => {
    expect(neighbourhoodOf(address)).toBe(of);
  },
);
