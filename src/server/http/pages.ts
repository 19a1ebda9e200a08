import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { refuse } from './faults.ts';

/** Addresses that show a page; everything else is not found, and says so to programs as well. */
const PAGES = new Set([
  '/',
  '/payment',
  '/dashboard',
  '/settings',
  '/admin',
  '/billing/success',
  '/billing/canceled',
  '/privacy-policy',
  '/terms-of-service',
  '/privacy',
  '/terms',
]);

/** The status page of one deletion, by its confirmation code. */
const DELETION_PAGE = /^\/data-deletion\/[0-9A-Z]{20}$/;

export interface PagesOptions {
  /** The built web app. */
  folder: string;
  /** Control pages of programs that play the outside world, as 'name=address'; empty when all is real. */
  practice: readonly string[];
}

export async function servePages(app: FastifyInstance, { folder, practice }: PagesOptions): Promise<void> {
  const shell = withPractice(await readFile(join(folder, 'index.html'), 'utf8'), practice);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // Only ever sent by us, with the practice notice in it.
    globIgnore: ['index.html'],
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (path.startsWith('/api/') || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return refuse(reply, 'NOT_FOUND');
    }
    const known = PAGES.has(path.length > 1 ? path.replace(/\/$/, '') : path) || DELETION_PAGE.test(path);
    return reply
      .status(known ? 200 : 404)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(shell);
  });
}

function withPractice(html: string, practice: readonly string[]): string {
  if (practice.length === 0) return html;
  const content = practice.join(',').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return html.replace('</head>', `<meta name="smartpause-practice" content="${content}" /></head>`);
}
