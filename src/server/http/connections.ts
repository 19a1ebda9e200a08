import type { Server } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { minutes, seconds } from '#core/time.ts';
import { refuseBytes } from './no-request.ts';
import { Seldom } from './seldom.ts';

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
  /** Of those from one address: it may be a whole office, and never everybody. */
  perAddress: number;
}

export const PATIENCE: Patience = {
  headersMs: seconds(20),
  requestMs: seconds(60),
  silenceMs: seconds(120),
  keepAliveMs: seconds(72),
  checkMs: seconds(5),
  connections: 10_000,
  perAddress: 500,
};

/** That may wait to be accepted, as when all pages come back at once after a release. Above it the kernel drops them without a word. */
export const BACKLOG = 4096;

const MAX_HEADER_BYTES = 16 * 1024;

export function connectionOptions(patience: Patience, safety: Record<string, string>) {
  return {
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    keepAliveTimeout: patience.keepAliveMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Whoever names no host is refused by us, with what all our answers have.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, safety),
  } satisfies FastifyHttpOptions<Server>;
}

/** Keeps so many connections and no more, and says who is turned away. */
export function limitConnections(
  app: FastifyInstance,
  patience: Patience,
  trustProxy: number | string[],
): void {
  const { server } = app;
  const isProxy = proxiesOf(trustProxy);
  const open = new Map<string, number>();
  const drops = new Seldom(minutes(1), (why, count) =>
    app.log.warn({ why, count }, 'more connections were turned away'),
  );
  const tell = (why: string, address: string | undefined): void => {
    if (drops.isFirst(why)) app.log.warn({ address }, `a connection was turned away: ${why}`);
  };
  server.maxConnections = patience.connections;
  server.on('drop', (dropped) => tell('too many in all', dropped?.remoteAddress));
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isProxy(address)) return;
    const of = neighbourhoodOf(address);
    const count = open.get(of) ?? 0;
    if (count >= patience.perAddress) {
      tell('too many of its address', address);
      socket.destroy();
      return;
    }
    open.set(of, count + 1);
    socket.once('close', () => {
      const left = (open.get(of) ?? 0) - 1;
      if (left > 0) open.set(of, left);
      else open.delete(of);
    });
  });
  app.addHook('onClose', (_app, done) => {
    drops.tell();
    done();
  });
}

/** Whoever comes from there speaks for many. A number tells nothing of where they are: then everybody may be one. */
function proxiesOf(trustProxy: number | string[]): (address: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0;
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Who is given one address of the sixth version is given 2⁶⁴ of them: the first half says whose they are. */
export function neighbourhoodOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])].slice(0, 4).join(':');
}
