import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { servePages } from './pages.ts';

const PUBLIC_URL = 'https://smartpause.example/a&b';

let folder: string;
let app: FastifyInstance;

const FIRST_SCRIPT = 'document.title = "first";';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smartpause-pages-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  const head = '<head><link rel="canonical" href="PUBLIC_URL/" /></head>';
  await writeFile(join(folder, 'index.html'), '<html><head></head><body>shell</body></html>');
  await writeFile(
    join(folder, 'landing.html'),
    `<html><script>${FIRST_SCRIPT}</script>${head}<body>landing</body></html>`,
  );
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'assets/a.js'), 'let a = 1;');
  await writeFile(join(folder, 'assets/a.js.gz'), '');
  app = fastify();
  await servePages(app, {
    folder,
    demo: { banner: '<aside>Demo</aside>' },
    company: { name: 'Lind & Sons "LLC"', address: '1 <b> Street', contact: 'help@lind.example' },
    publicUrl: PUBLIC_URL,
  });
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('[ROUTE-01] home is the landing page with the public URL in it; other pages are the shell', async () => {
  const home = await app.inject('/');
  expect(home.body).toContain('<link rel="canonical" href="https://smartpause.example/a&amp;b/" />');
  expect(home.body).toContain('<body><aside>Demo</aside>landing');
  expect((await app.inject('/?error=AUTH_FAILED')).body).toBe(home.body);
  expect((await app.inject('/payment')).body).toContain('shell');
  for (const path of ['/payment', '/activity/12', '/activity/latest'])
    expect((await app.inject(path)).statusCode, path).toBe(200);
  expect((await app.inject('/nothing-here')).statusCode).toBe(404);
});

test('[AUTH-07, UX-14] every document names the server that sent it, and its build as API responses do', async () => {
  const { headers } = await app.inject('/api/nothing-here');
  for (const path of ['/', '/payment', '/nothing-here']) {
    const [head = ''] = (await app.inject(path)).body.split('</head>');
    expect(head, path).toContain('<meta name="smartpause-server" content="own" />');
    expect(head, path).toContain(
      `<meta name="smartpause-build" content="${String(headers['smartpause-build'])}" />`,
    );
  }
});

test('[FMT-03] the shell names the configured company, for the legal pages', async () => {
  const shell = await app.inject('/terms');
  expect(shell.body).toContain(
    '<meta name="smartpause-company" content="Lind &amp; Sons &quot;LLC&quot;" />' +
      '<meta name="smartpause-company-address" content="1 &lt;b&gt; Street" />' +
      '<meta name="smartpause-contact" content="help@lind.example" />',
  );
});

test('[ROUTE-12] build metadata beside the pages is not served', async () => {
  for (const path of ['/.vite/manifest.json', '/assets/a.js.gz', '/landing.html', '/index.html']) {
    expect((await app.inject(path)).statusCode, path).toBe(404);
  }
});

test('[ROUTE-01] robots.txt and the sitemap list the public pages under the public URL', async () => {
  const robots = await app.inject('/robots.txt');
  expect(robots.headers['content-type']).toMatch('text/plain');
  expect(robots.body).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.txt`);
  expect(robots.body).toContain('Disallow: /settings');
  const sitemap = await app.inject('/sitemap.txt');
  expect(sitemap.headers['content-type']).toMatch('text/plain');
  const paths = ['/', '/payment', '/status', '/privacy-policy', '/terms-of-service'];
  expect(sitemap.body).toBe(paths.map((path) => `${PUBLIC_URL}${path}\n`).join(''));
});

test('a page runs our own files, and of inline scripts only what the build wrote', async () => {
  const policy = new Map(
    String((await app.inject('/')).headers['content-security-policy'])
      .split(';')
      .map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')] as const;
      }),
  );
  expect(policy.get('default-src')).toBe("'none'");
  const hash = createHash('sha256').update(FIRST_SCRIPT).digest('base64');
  expect(policy.get('script-src')).toBe(`'self' 'sha256-${hash}'`);
  for (const name of ['base-uri', 'form-action', 'frame-ancestors']) {
    expect(policy.get(name), name).toBe("'none'");
  }
  expect(policy.get('require-trusted-types-for')).toBe("'script'");
});
