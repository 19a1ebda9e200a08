import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../run.ts';

const SHEETS = join(ROOT, 'node_modules/@mantine/core/styles');
/** Mantine's build generates its class names, so a script that contains one renders with it. */
const CLASS = /m_[0-9a-f]{6,8}\b/g;

/**
 * Only the style sheets of the used components are imported, and a missing one would only
 * be visible. This check requires a style for every Mantine class that the scripts name.
 */
export async function checkStyles(folder: string): Promise<void> {
  const assets = join(folder, 'assets');
  const textOf = async (ending: string): Promise<string> => {
    const names = (await readdir(assets)).filter((name) => name.endsWith(ending));
    return (await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')))).join('\n');
  };
  const named = new Set((await textOf('.js')).match(CLASS));
  const styled = new Set((await textOf('.css')).match(CLASS));
  const missing: string[] = [];
  for (const sheet of (await readdir(SHEETS)).filter((name) => !name.endsWith('.layer.css'))) {
    const classes = new Set((await readFile(join(SHEETS, sheet), 'utf8')).match(CLASS));
    if ([...classes].some((name) => named.has(name) && !styled.has(name))) missing.push(sheet);
  }
  if (missing.length > 0) {
    throw new Error(
      `too little of Mantine's styles is imported (src/web/app/app-styles.css): ${missing.join(', ')}`,
    );
  }
}
