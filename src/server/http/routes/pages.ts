import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Company } from '#contract/company.ts';
import { isPage, PUBLIC_PAGES } from '#contract/pages.ts';
import type { Demo, PreparedDocument } from './documents.ts';
import { acceptedEncodings, prepareDocument, sendDocument } from './documents.ts';
import { demoBanner } from '../demo-banner.ts';
import { refuse } from '../error-envelope.ts';
import type { PublicStatusCache } from './public-status.ts';
import { servePublicStatus } from './public-status.ts';

/** Paths that are private or not a page. */
const NOT_FOR_SEARCH = [
  '/activity',
  '/api/',
  '/auth/',
  '/admin',
  '/billing/',
  '/data-deletion/',
  '/settings',
];

/** API calls and assets: never the HTML shell. */
const NEVER_A_PAGE = /^\/(api|assets)\//;

export interface PagesOptions {
  folder: string;
  /** Null outside demo mode. */
  demo: Demo | null;
  company: Company;
  publicStatus?: PublicStatusCache;
}

export async function servePages(
  app: FastifyInstance,
  { folder, demo, company, publicStatus, publicUrl }: PagesOptions & { publicUrl: string },
): Promise<void> {
  const prepare = async (name: string) =>
    prepareDocument(await readFile(join(folder, name), 'utf8'), { demo, company, publicUrl });
  const shell = await prepare('index.html');
  const landing = await prepare('landing.html');
  if (publicStatus !== undefined)
    servePublicStatus(app, publicStatus, {
      publicUrl,
      demoBanner: demoBanner(demo?.pages ?? []),
      ...builtFilesOf(landing),
    });
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // The build adds a Brotli and a gzip version of each file.
    preCompressed: true,
    // HTML needs runtime values, so it has its own routes. Build metadata is not public.
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
    // Unbounded requests, so compression is not worth its cost.
    if (!isPage(path)) return sendDocument(reply.status(404), shell, new Set());
    return sendDocument(reply, path === '/' ? landing : shell, acceptedEncodings(request));
  });
}

/** The icon and the font that the built landing page names. */
function builtFilesOf({ pieces }: PreparedDocument): { icon: string; fontUrl: string | null } {
  const html = pieces.join('');
  return {
    icon: /<link rel="icon"[^>]*>/.exec(html)?.[0] ?? '',
    fontUrl: /"(\/assets\/inter-[\w-]+\.woff2)"/.exec(html)?.[1] ?? null,
  };
}

/** The path of an address as the router reads it, independent of its spelling and of an origin before it. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** robots.txt and the sitemap. */
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
