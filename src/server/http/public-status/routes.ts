import type { FastifyInstance } from 'fastify';
import type { Cached } from '../../cached.ts';
import type { PublicStatus } from '../../services/status/public-status.ts';
import { pagePolicy } from '../security-headers.ts';
import { atomFeed, jsonFeed } from './feeds.ts';
import { statusDocument } from './page.ts';

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
  const serve = (path: string, type: string, render: (status: PublicStatus) => string) =>
    app.get(path, async (_request, reply) => {
      const text = render(await cache.read());
      // A page that stays open must not show an old level, and has no script.
      if (type === 'text/html') reply.headers({ 'content-security-policy': pagePolicy(''), refresh: '60' });
      return reply.header('cache-control', 'public, max-age=15').type(`${type}; charset=utf-8`).send(text);
    });
  serve('/status', 'text/html', (status) => statusDocument(status, { publicUrl, icon, fontUrl, banner }));
  serve('/status.json', 'application/feed+json', (status) => jsonFeed(status, publicUrl));
  serve('/status.atom', 'application/atom+xml', (status) => atomFeed(status, publicUrl));
}
