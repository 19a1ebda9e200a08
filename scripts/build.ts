import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { takeNoArguments } from './arguments.ts';
import { compressFolder } from './build/compress.ts';
import { ROOT } from './run.ts';

const OUT = join(ROOT, 'dist', 'web');
const STAMP = '.stamp';
const INPUTS = [
  'src/web',
  'src/core',
  'src/contract',
  'index.html',
  'landing.html',
  'scripts/build.ts',
  'scripts/build',
  'vite.config.ts',
  'package-lock.json',
];

/**
 * Builds the web app into dist/web, unless it was built from exactly these sources. The build
 * goes to another folder, which is then renamed, so that a running server never sees half of it.
 */
export async function buildWeb(): Promise<{ built: boolean; folder: string }> {
  const stamp = await hashOfInputs();
  // The stamp is written last, so a folder that has it is complete.
  const isCurrent = async () => (await readFile(join(OUT, STAMP), 'utf8').catch(() => null)) === stamp;
  if (await isCurrent()) return { built: false, folder: OUT };
  const fresh = join(ROOT, 'dist', `.web-${process.pid}`);
  const old = `${fresh}-old`;
  await mkdir(dirname(OUT), { recursive: true });
  try {
    await buildInto(fresh);
    await writeFile(join(fresh, STAMP), stamp);
    await rename(OUT, old).catch(() => undefined);
    await rename(fresh, OUT);
  } catch (error) {
    // Another process may have put the same build in place.
    if (!(await isCurrent())) throw error;
  } finally {
    for (const folder of [fresh, old]) await rm(folder, { recursive: true, force: true });
  }
  return { built: true, folder: OUT };
}

/** Imported on demand: a start with a current build does not load the build tools. */
async function buildInto(folder: string): Promise<void> {
  const { build } = await import('vite');
  const { completeDocuments } = await import('./build/documents.ts');
  // Vite would build for development in a test, and sets the variable itself where it is missing.
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder },
    });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
  await completeDocuments(folder);
  await compressFolder(folder);
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const path of filesOf(INPUTS)) {
    hash.update(`${path}\0`).update(await readFile(join(ROOT, path)));
  }
  return hash.digest('hex');
}

/** All source files below these paths, without tests. */
function filesOf(inputs: string[]): string[] {
  const patterns = inputs.flatMap((input) => [input, `${input}/**`]);
  const found = globSync(patterns, { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));
  return [...new Set(paths)].filter((path) => !/\.test\.tsx?$/.test(path)).sort();
}

if (import.meta.main) {
  takeNoArguments('npm run build    builds the web app into dist/web, unless it is up to date');
  const { built } = await buildWeb();
  console.log(built ? 'The web app is built.' : 'The web app is up to date.');
}
