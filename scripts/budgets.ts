import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWeb } from './build.ts';
import { APP } from './build/documents.ts';
import { filesOf, readManifest } from './build/manifest.ts';
import type { Figure } from './figures.ts';
import { printFigures } from './figures.ts';

/** What each page loads beside the scripts of its document, and the limit of what a browser has to fetch. */
const PAGES = [
  { page: 'landing page', limitKb: 8, sources: [] },
  {
    page: 'dashboard',
    limitKb: 340,
    // The bulk actions, dialogs and notices of the dashboard included.
    sources: [APP, 'src/web/app/home.tsx'],
  },
];

/** Transfer size of scripts and style sheets with gzip. Both pages use the landing page's document, which contains its styles. */
async function measurePages(): Promise<Figure[]> {
  const { folder } = await buildWeb();
  const manifest = await readManifest(folder);
  const html = await readFile(join(folder, 'landing.html'), 'utf8');
  const inDocument = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, path]) => path ?? '',
  );
  const kbOf = async (file: string): Promise<number> =>
    gzipSync(await readFile(join(folder, file))).length / 1000;
  return Promise.all(
    PAGES.map(async ({ page, limitKb, sources }) => {
      const files = [...new Set([...inDocument, ...filesOf(manifest, sources)])];
      const sizes = await Promise.all(files.filter((file) => /\.(js|css)$/.test(file)).map(kbOf));
      const kb = sizes.reduce((sum, size) => sum + size, 0);
      return {
        what: `scripts and styles of the ${page}`,
        measured: `${kb.toFixed(1)} kB with gzip`,
        yardstick: `limit ${limitKb} kB`,
        ratio: kb / limitKb,
        atMost: 1,
      };
    }),
  );
}

if (!printFigures(await measurePages())) {
  console.error('A page has grown beyond its budget: load later what is not needed at first.');
  process.exitCode = 1;
}
