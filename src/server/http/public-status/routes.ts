import type { FastifyInstance } from 'fastify';
import type { Cached } from '../../cached.ts';
import type { PublicStatus } from '../../services/public-status.ts';
import { pagePolicy } from '../security-headers.ts';
import { atomFeed, jsonFeed } from './feeds.ts';
import { statusDocument } from './page.ts';

const TYPES = {
  '/status': 'text/html; charset=utf-8',
  '/status.json': 'application/feed+json; charset=utf-8',
  '/status.atom': 'application/atom+xml; charset=utf-8',
} as const;
type Path = keyof typeof TYPES;

/**
 * The public status page and its feeds.
 * @param landing the built landing page, which names the icon and the font
 */
export function servePublicStatus(
  app: FastifyInstance,
  cache: Cached<PublicStatus>,
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
