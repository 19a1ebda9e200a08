import { createHash } from 'node:crypto';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { ROOT } from '../run.ts';
import { withSystemColors } from './by-system.ts';
import { filesOf, readManifest } from './manifest.ts';

export const COME_ALIVE = 'src/web/landing/come-alive.tsx';
export const START_APP = 'src/web/start/start-app.tsx';

/** The server puts a new one in for every answer; the page's scripts read it from the first element that has one. */
const NONCE_PLACE = 'STYLE_NONCE';
const NONCE = `nonce="${NONCE_PLACE}"`;

/** Most visitors of the landing page have told us nothing; it is painted for them without waiting for a script. */
const COLORS = {
  untold: 'data-mantine-color-scheme="light"',
  bySystem: 'data-mantine-color-scheme="auto"',
};

/** Completes the two documents that the bundler has left in this folder. */
export async function completeDocuments(folder: string): Promise<void> {
  const beforePaint = await buildBeforePaint(folder);
  for (const name of ['index.html', 'landing.html']) {
    const path = join(folder, name);
    // The content security policy allows no script in the document itself. Before all else, so that it is asked for first.
    const html = put(
      await readFile(path, 'utf8'),
      '<meta name="viewport"',
      `<script src="/${beforePaint}"></script><meta name="viewport"`,
    );
    await writeFile(path, await (name === 'landing.html' ? withLandingPage : withApp)(html, folder));
  }
  await copyFile(join(ROOT, 'src/web/landing/social-card.png'), join(folder, 'social-card.png'));
}

/** Its style sheets stand before the first paint, and its scripts are fetched before one asks for the other. */
async function withApp(html: string, folder: string): Promise<string> {
  const files = filesOf(await readManifest(folder), [START_APP]);
  const scripts = files
    .filter((path) => path.endsWith('.js'))
    .map((path) => `<link rel="modulepreload" crossorigin href="/${path}" />`);
  const [first = '', ...others] = styleLinks(files);
  const styles = [put(first, '<link ', `<link ${NONCE} `), ...others];
  return put(html, '</head>', `${[...styles, ...scripts].join('')}</head>`);
}

function styleLinks(files: string[]): string[] {
  return files
    .filter((path) => path.endsWith('.css'))
    .map((path) => `<link rel="stylesheet" crossorigin href="/${path}" />`);
}

/**
 * With its style sheets in the document itself, the page does not wait for them. They are named as well, so that the
 * scripts do not fetch them again; what is of no known type is fetched by nobody.
 */
async function withLandingPage(html: string, folder: string): Promise<string> {
  const files = filesOf(await readManifest(folder), [COME_ALIVE]).filter((path) => path.endsWith('.css'));
  const sheets = await Promise.all(files.map((path) => readFile(join(folder, path), 'utf8')));
  const named = styleLinks(files).map((link) => link.replace('<link ', '<link type="text/none" '));
  const page = await prerender(`${folder}-prerender`);
  return put(
    put(
      put(html, COLORS.untold, COLORS.bySystem),
      '</head>',
      `<style ${NONCE}>${withSystemColors(sheets.join(''))}</style>${named.join('')}</head>`,
    ),
    '<div id="root" data-prerendered>',
    `<div id="root" data-prerendered>${page}`,
  );
}

async function prerender(folder: string): Promise<string> {
  try {
    await build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      build: { ssr: 'src/web/landing/prerender.tsx', outDir: folder, rolldownOptions: { input: {} } },
    });
    const module = (await import(pathToFileURL(join(folder, 'prerender.js')).href)) as {
      prerender: (nonce: string) => string;
    };
    return module
      .prerender(NONCE_PLACE)
      .replaceAll(/(<style[^>]*>)([^<]*)/g, (_, tag: string, css: string) => tag + withSystemColors(css));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A classic script, since a module would run after the first paint. Answers where it is, named by what is in it. */
async function buildBeforePaint(folder: string): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'src/web/start/before-paint.ts', formats: ['iife'], name: 'beforePaint' },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const code = output?.output[0].code;
  if (code === undefined) throw new Error('the script that runs before the first paint was not built');
  const path = `assets/before-paint-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  await writeFile(join(folder, path), code.trim());
  return path;
}

function put(html: string, place: string, instead: string): string {
  if (!html.includes(place)) throw new Error(`the document has no ${place}`);
  return html.replace(place, () => instead);
}
