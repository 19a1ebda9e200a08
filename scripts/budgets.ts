import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWeb } from './build.ts';
import { COME_ALIVE, START_APP } from './build/documents.ts';
import { filesOf, readManifest } from './build/manifest.ts';

/** The scripts of each page, and the limit of what a browser has to fetch for it. */
const PAGES = [
  { page: 'landing page', limitKb: 8, sources: [COME_ALIVE] },
  {
    page: 'dashboard',
    limitKb: 260,
    // Rows for hundreds of campaigns and bulk actions are loaded on demand.
    sources: [
      START_APP,
      'src/web/start/notices-place.tsx',
      'src/web/pages/dashboard/dashboard.tsx',
      'src/web/pages/dashboard/list/list-tools.tsx',
    ],
  },
];

/** Transfer size of scripts and style sheets with gzip. Both pages use the landing page's document. */
async function measure(): Promise<boolean> {
  const { folder } = await buildWeb();
  const manifest = await readManifest(folder);
  const html = await readFile(join(folder, 'landing.html'), 'utf8');
  const inDocument = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path ?? '',
  );
  const packedKb = async (files: string[], ending: string): Promise<number> => {
    const sizes = files
      .filter((file) => file.endsWith(ending))
      .map(async (file) => gzipSync(await readFile(join(folder, file))).length);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
  };
  const rows = await Promise.all(
    PAGES.map(async ({ page, limitKb, sources }) => {
      const files = [...new Set([...inDocument, ...filesOf(manifest, sources)])];
      const scripts = await packedKb(files, '.js');
      const styles = await packedKb(files, '.css');
      return { page, scripts, styles, total: scripts + styles, limitKb };
    }),
  );
  console.log(line('kB, gzip', 'scripts', 'styles', 'together', 'at most'));
  for (const { page, scripts, styles, total, limitKb } of rows) {
    const numbers = [scripts, styles, total].map((kb) => kb.toFixed(1));
    console.log(line(page, ...numbers, String(limitKb)) + (total > limitKb ? '  TOO MUCH' : ''));
  }
  return rows.every(({ total, limitKb }) => total <= limitKb);
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(14) + cells.map((cell) => cell.padStart(10)).join('');
}

if (!(await measure())) {
  console.error('A page has grown beyond its budget: load later what is not needed at first.');
  process.exitCode = 1;
}
