import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server } from 'node:net';

/** Below the ephemeral ports, which the system could assign to outgoing connections before we listen. */
const FROM = 10_240;
const BELOW = 32_768;
const TRIES = 1000;

/** Ports of this machine that were free a moment ago, all different. */
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
