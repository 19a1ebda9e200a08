import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { PublicStatus } from '../../services/public-status.ts';
import type { Surroundings } from '../public-status/document.ts';
import { statusDocument, styleOf } from '../public-status/document.ts';
import { atomFeed, jsonFeed } from '../public-status/feeds.ts';
import { policyOfStatusPage } from './content-policy.ts';
import { acceptedEncodings } from './documents.ts';

const KEPT_MS = minutes(1);

const TYPES = {
  '/status': 'text/html; charset=utf-8',
  '/status.json': 'application/feed+json; charset=utf-8',
  '/status.atom': 'application/atom+xml; charset=utf-8',
} as const;
type Path = keyof typeof TYPES;

interface Rendered {
  etag: string;
  plain: string;
  gzip: Buffer;
  br: Buffer;
}

/** The last reading of the public status, until it expires. One reading at a time. */
export class PublicStatusCache {
  readonly #read: () => Promise<PublicStatus>;
  readonly #now: () => Instant;
  #kept: { at: Instant; status: Promise<PublicStatus>; rendered: Map<Path, Promise<Rendered>> } | null = null;

  constructor(read: () => Promise<PublicStatus>, now: () => Instant) {
    this.#read = read;
    this.#now = now;
  }

  /** The status has changed. */
  expire(): void {
    this.#kept = null;
  }

  rendered(path: Path, render: (status: PublicStatus) => string): Promise<Rendered> {
    const kept = this.#current();
    const known = kept.rendered.get(path);
    if (known !== undefined) return known;
    const rendered = kept.status.then((status) => pack(render(status)));
    kept.rendered.set(path, rendered);
    return rendered;
  }

  #current() {
    const now = this.#now();
    if (this.#kept !== null && Math.abs(now - this.#kept.at) < KEPT_MS) return this.#kept;
    const fresh = { at: now, status: this.#read(), rendered: new Map<Path, Promise<Rendered>>() };
    // Do not keep a failure.
    fresh.status.catch(() => {
      if (this.#kept === fresh) this.#kept = null;
    });
    this.#kept = fresh;
    return fresh;
  }
}

async function pack(plain: string): Promise<Rendered> {
  const [gzipped, br] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  ]);
  // Weak: the same for every encoding.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { etag, plain, gzip: gzipped, br };
}

/** The public status page and its feeds, rendered once for all visitors. */
export function servePublicStatus(
  app: FastifyInstance,
  cache: PublicStatusCache,
  around: Surroundings,
): void {
  const policy = policyOfStatusPage(createHash('sha256').update(styleOf(around)).digest('base64'));
  const renderers: Record<Path, (status: PublicStatus) => string> = {
    '/status': (status) => statusDocument(status, around),
    '/status.json': (status) => jsonFeed(status, around.publicUrl),
    '/status.atom': (status) => atomFeed(status, around.publicUrl),
  };
  for (const path of Object.keys(TYPES) as Path[]) {
    app.get(path, async (request, reply) => {
      const rendered = await cache.rendered(path, renderers[path]);
      if (path === '/status') reply.header('content-security-policy', policy);
      reply.type(TYPES[path]);
      return send(request, reply, rendered);
    });
  }
}

function send(request: FastifyRequest, reply: FastifyReply, { etag, ...bodies }: Rendered): FastifyReply {
  reply.header('cache-control', 'public, max-age=15').header('etag', etag).header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send();
  const accepted = acceptedEncodings(request);
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.has(name));
  if (encoding === undefined) return reply.send(bodies.plain);
  return reply.header('content-encoding', encoding).send(bodies[encoding]);
}

function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((one) => one.trim() === etag);
}
