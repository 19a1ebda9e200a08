import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Company } from '#contract/company.ts';
import { isPage, PUBLIC_PAGES } from '#contract/pages.ts';
import { pathOf } from '../address.ts';
import { acceptedEncodings, prepareDocument, sendDocument, withoutWaiting } from './documents.ts';
import { refuse } from '../faults.ts';

/** What is somebody's own, or no page at all. */
const NOT_FOR_SEARCH = ['/api/', '/auth/', '/admin', '/billing/', '/data-deletion/', '/settings'];

/** What src/web/start/before-paint.ts leaves; by the second name where the connection is not encrypted. */
const KNOWN = ['__Host-known', 'known'];

/** Calls, and files that pages ask for. */
const NEVER_A_PAGE = /^\/(api|assets)\//;

export interface PagesOptions {
  /** The built web app. */
  folder: string;
  /** Control pages of programs that play the outside world, as 'name=address'; empty when all is real. */
  practice: readonly string[];
  company: Company;
}

export async function servePages(
  app: FastifyInstance,
  { folder, practice, company, publicUrl }: PagesOptions & { publicUrl: string },
): Promise<void> {
  const prepare = async (name: string) =>
    prepareDocument(await readFile(join(folder, name), 'utf8'), { practice, company, publicUrl });
  const shell = await prepare('index.html');
  const landing = await prepare('landing.html');
  const landingOfStrangers = withoutWaiting(landing);
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // The build has put a Brotli and a gzip beside them.
    preCompressed: true,
    // Only ever sent by us, with what is known here alone in them; and what the build knows is nobody's business.
    globIgnore: ['*.html', '.*/**', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  serveForSearch(app, publicUrl);
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    if (NEVER_A_PAGE.test(path) || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return refuse(reply, 'NOT_FOUND');
    }
    const home = isStranger(request) ? landingOfStrangers : landing;
    // What anybody can ask for without end is not worth packing.
    if (!isPage(path)) return sendDocument(reply.status(404), shell, new Set());
    return sendDocument(reply, path === '/' ? home : shell, acceptedEncodings(request));
  });
}

/**
 * Nothing is stored in this browser: no session, for which another page is to be shown, and no choice of colours. Its pages
 * leave a cookie as soon as there is; a login comes back with a token.
 */
function isStranger({ cookies, query }: FastifyRequest): boolean {
  const isArriving = typeof query === 'object' && query !== null && 'token' in query;
  return !isArriving && KNOWN.every((name) => cookies[name] === undefined);
}

/** What search engines read first. */
function serveForSearch(app: FastifyInstance, publicUrl: string): void {
  const robots = [
    'User-agent: *',
    ...NOT_FOR_SEARCH.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const places = PUBLIC_PAGES.map((path) => `  <url><loc>${escapeXml(publicUrl + path)}</loc></url>`);
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...places,
    '</urlset>',
    '',
  ].join('\n');
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots));
  app.get('/sitemap.xml', (_request, reply) => reply.type('application/xml; charset=utf-8').send(sitemap));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
