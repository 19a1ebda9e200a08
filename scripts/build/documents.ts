import { copyFile, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { TRIAL_DAYS } from '../../src/core/billing/subscription.ts';
import { ROOT } from '../run.ts';
import { filesOf, readManifest } from './manifest.ts';

/** The chunk of the app with its layout, named in vite.config.ts. */
export const APP = 'app';

/** Completes the two documents that the bundler wrote into this folder. */
export async function completeDocuments(folder: string): Promise<void> {
  const beforePaint = await buildBeforePaint();
  for (const name of ['index.html', 'landing.html']) {
    const path = join(folder, name);
    // The server allows exactly this inline script by its hash.
    const html = put(
      await readFile(path, 'utf8'),
      '<meta name="viewport"',
      `<script>${beforePaint}</script><meta name="viewport"`,
    );
    await writeFile(path, await (name === 'landing.html' ? withLandingPage : withApp)(html, folder));
  }
  await copyFile(join(ROOT, 'src/web/features/landing/social-card.png'), join(folder, 'social-card.png'));
}

/** The style sheets precede the first paint, and the scripts are preloaded before one imports the other. */
async function withApp(html: string, folder: string): Promise<string> {
  const files = filesOf(await readManifest(folder), [APP]);
  const scripts = files
    .filter((path) => path.endsWith('.js'))
    .map((path) => `<link rel="modulepreload" crossorigin href="/${path}" />`);
  const styles = files
    .filter((path) => path.endsWith('.css'))
    .map((path) => `<link rel="stylesheet" crossorigin href="/${path}" />`);
  return put(html, '</head>', `${[...styles, ...scripts].join('')}</head>`);
}

/** Inlines the styles, so that the page does not wait for them. */
async function withLandingPage(html: string, folder: string): Promise<string> {
  const { page, styles } = await prerender(`${folder}-prerender`);
  return put(
    put(html.replaceAll('{{TRIAL_DAYS}}', String(TRIAL_DAYS)), '</head>', `<style>${styles}</style></head>`),
    '<div id="root" data-prerendered>',
    `<div id="root" data-prerendered>${page}`,
  );
}

async function prerender(folder: string): Promise<{ page: string; styles: string }> {
  try {
    await build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      build: {
        ssr: 'src/web/app/prerender.tsx',
        ssrEmitAssets: true,
        cssCodeSplit: false,
        cssMinify: true,
        outDir: folder,
        rolldownOptions: { input: {} },
      },
    });
    const module = (await import(pathToFileURL(join(folder, 'prerender.js')).href)) as {
      prerender: () => string;
    };
    const [sheet = '', ...others] = (await readdir(join(folder, 'assets'))).filter((name) =>
      name.endsWith('.css'),
    );
    if (others.length > 0)
      throw new Error(`the landing page has more than one style sheet: ${others.join(', ')}`);
    const styles = await readFile(join(folder, 'assets', sheet), 'utf8');
    if (styles.includes('font-display:swap')) throw new Error('the landing page would exchange its font');
    return { page: module.prerender(), styles };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A classic script, since a module would run after the first paint. */
async function buildBeforePaint(): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'src/web/app/before-paint.ts', formats: ['iife'], name: 'beforePaint' },
    },
  });
  const [output] = Array.isArray(built) ? built : [];
  const code = output?.output[0].code;
  if (code === undefined) throw new Error('the script that runs before the first paint was not built');
  return code.trim();
}

function put(html: string, place: string, instead: string): string {
  if (!html.includes(place)) throw new Error(`the document has no ${place}`);
  return html.replace(place, () => instead);
}
