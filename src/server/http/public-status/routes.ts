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

export type PublicStatusCache = ReturnType<typeof cachePublicStatus>;

/** Keeps the last reading of the public status until it expires. One reading at a time. */
export function cachePublicStatus(read: () => Promise<PublicStatus>, now: () => Instant) {
  let kept: { at: Instant; status: Promise<PublicStatus> } | null = null;
  return {
    /** The status has changed. */
    expire(): void {
      kept = null;
    },
    read(): Promise<PublicStatus> {
      const at = now();
      if (kept !== null && Math.abs(at - kept.at) < KEPT_MS) return kept.status;
      const fresh = { at, status: read() };
      kept = fresh;
      // Do not keep a failure.
      fresh.status.catch(() => {
        if (kept === fresh) kept = null;
      });
      return fresh.status;
    },
  };
}

/**
 * The public status page and its feeds.
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
      const text = renderers[path](await cache.read());
      if (path === '/status') reply.header('content-security-policy', policy);
      return reply.header('cache-control', 'public, max-age=15').type(TYPES[path]).send(text);
    });
  }
}
