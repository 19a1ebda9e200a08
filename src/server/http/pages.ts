import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { BUILD } from '#contract/build.ts';
import type { Company } from '#contract/company.ts';
import { COMPANY_META } from '#contract/company.ts';
import { OWN_SERVER_META } from '#contract/login-handoff.ts';
import { isPage, PUBLIC_PAGES } from '#contract/pages.ts';
import { escapeHtml } from '#core/escape-html.ts';
import { sendApiError } from './error-handler.ts';
import { pagePolicy } from './security-headers.ts';

/** Paths that are private or not a page. */
const NOT_FOR_SEARCH = [
  '/activity',
  '/api/',
  '/auth/',
  '/admin',
  '/billing/',
  '/confirm-email',
  '/data-deletion/',
  '/evidence/',
  '/login',
  '/settings',
  '/setup',
  '/unsubscribe/',
];

/** API calls and assets: never the HTML shell. */
const NEVER_A_PAGE = /^\/(api|assets)\//;

/** What `npm start` adds in demo mode. */
export interface Demo {
  /** HTML at the start of each page's body; empty: none. */
  banner: string;
  /** HTML at the end of each page's head. */
  head?: string;
  addRoutes?: (http: FastifyInstance) => void;
}

export interface PagesOptions {
  folder: string;
  /** Null outside demo mode. */
  demo: Demo | null;
  company: Company;
  publicUrl: string;
}

/** @returns the landing page, which names the built files */
export async function servePages(app: FastifyInstance, options: PagesOptions): Promise<string> {
  const { folder, publicUrl } = options;
  // It names the first script by its content, which names the others in the same way.
  const shellFile = await readFile(join(folder, 'index.html'));
  const build = createHash('sha256').update(shellFile).digest('hex').slice(0, 12);
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith('/api/')) reply.header(BUILD, build);
    done();
  });
  const read = async (name: string) => {
    const html = completed(await readFile(join(folder, name), 'utf8'), build, options);
    return { html, headers: { 'content-security-policy': pagePolicy(html) } };
  };
  const [shell, landing] = [await read('index.html'), await read('landing.html')];
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
  const robots = [
    'User-agent: *',
    ...NOT_FOR_SEARCH.map((path) => `Disallow: ${path}`),
    `\nSitemap: ${publicUrl}/sitemap.txt\n`,
  ].join('\n');
  app.get('/robots.txt', () => robots);
  app.get('/sitemap.txt', () => PUBLIC_PAGES.map((path) => `${publicUrl + path}\n`).join(''));
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => {
    const path = `/${request.params['*']}`;
    if (NEVER_A_PAGE.test(path)) return sendApiError(reply, 'NOT_FOUND');
    const { html, headers } = path === '/' ? landing : shell;
    return reply
      .status(isPage(path) ? 200 : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(html);
  });
  return landing.html;
}

/** Adds what only the running server knows. */
function completed(html: string, build: string, { demo, company, publicUrl }: PagesOptions): string {
  const values = {
    [BUILD]: build,
    [OWN_SERVER_META]: 'own',
    [COMPANY_META.name]: company.name,
    [COMPANY_META.address]: company.address,
    [COMPANY_META.contact]: company.contact,
  };
  const elements = Object.entries(values).map(([name, content]) =>
    content === null ? '' : `<meta name="${name}" content="${escapeHtml(content)}" />`,
  );
  return html
    .replace('</head>', () => `${elements.join('')}${demo?.head ?? ''}</head>`)
    .replace('<body>', () => `<body>${demo?.banner ?? ''}`)
    .replaceAll('"PUBLIC_URL/', () => `"${escapeHtml(publicUrl)}/`);
}
