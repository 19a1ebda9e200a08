import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** Below those that systems give to outgoing connections, which could take a port before it is listened on. */
const FROM = 10_240;
const BELOW = 32_768;
const TRIES = 1000;

/** Ports of this machine that nobody listened on a moment ago, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  for (let tries = 0; held.size < count && tries < TRIES; tries += 1) {
    const port = randomInt(FROM, BELOW);
    const server = held.has(port) ? null : await tryToListen(port);
    if (server !== null) held.set(port, server);
  }
  await Promise.all([...held.values()].map((one) => new Promise((resolve) => one.close(resolve))));
  if (held.size < count) throw new Error('no port is free');
  return [...held.keys()];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

function tryToListen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
