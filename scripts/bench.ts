import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs one benchmark by its name, or all of them: `npm run bench -- reaction`. */
const folder = join(import.meta.dirname, 'bench');
const known = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ''));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}\n`);
  process.exit(1);
}
for (const name of wanted.length === 0 ? known : wanted) await import(join(folder, `${name}.ts`));
