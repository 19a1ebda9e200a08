import type { FastifyInstance } from 'fastify';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { PublicStatus } from '../../services/public-status.ts';
import { pagePolicy } from '../security-headers.ts';
import { atomFeed, jsonFeed } from './feeds.ts';
import { statusDocument } from './page.ts';

const KEPT_MS = minutes(1);

const TYPES = {
  '/status': 'text/html; charset=utf-8',
  '/status.json': 'application/feed+json; charset=utf-8',
  '/status.atom': 'application/atom+xml; charset=utf-8',
} as const;
type Path = keyof typeof TYPES;

interface Kept {
  at: Instant;
  status: Promise<PublicStatus>;
  texts: Partial<Record<Path, string>>;
}

/** The last reading of the public status, until it expires. One reading at a time. */
export class PublicStatusCache {
  readonly #read: () => Promise<PublicStatus>;
  readonly #now: () => Instant;
  #kept: Kept | null = null;

  constructor(read: () => Promise<PublicStatus>, now: () => Instant) {
    this.#read = read;
    this.#now = now;
  }

  /** The status has changed. */
  expire(): void {
    this.#kept = null;
  }

  async text(path: Path, render: (status: PublicStatus) => string): Promise<string> {
    const { texts, status } = this.#current();
    const known = await status;
    return (texts[path] ??= render(known));
  }

  #current(): Kept {
    const now = this.#now();
    if (this.#kept !== null && Math.abs(now - this.#kept.at) < KEPT_MS) return this.#kept;
    const fresh: Kept = { at: now, status: this.#read(), texts: {} };
    // Do not keep a failure.
    fresh.status.catch(() => {
      if (this.#kept === fresh) this.#kept = null;
    });
    this.#kept = fresh;
    return fresh;
  }
}

/**
 * The public status page and its feeds, rendered once for all visitors.
 * @param landing the built landing page, which names the icon and the font
 */
export function servePublicStatus(
  app: FastifyInstance,
  cache: PublicStatusCache,
  { publicUrl, landing, banner }: { publicUrl: string; landing: string; banner: string },
): void {
  const icon = /<link rel="icon"[^>]*>/.exec(landing)?.[0] ?? '';
  const fontUrl = /"(\/assets\/inter-[\w-]+\.woff2)"/.exec(landing)?.[1] ?? null;
  const renderers: Record<Path, (status: PublicStatus) => string> = {
    '/status': (status) => statusDocument(status, { publicUrl, icon, fontUrl, banner }),
    '/status.json': (status) => jsonFeed(status, publicUrl),
    '/status.atom': (status) => atomFeed(status, publicUrl),
  };
  const policy = pagePolicy('');
  for (const path of Object.keys(TYPES) as Path[]) {
    app.get(path, async (_request, reply) => {
      const text = await cache.text(path, renderers[path]);
      if (path === '/status') reply.header('content-security-policy', policy);
      return reply.header('cache-control', 'public, max-age=15').type(TYPES[path]).send(text);
    });
  }
}
