import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NotUnderstood, readArguments } from './arguments.ts';

/** Runs one benchmark by its name, or all of them: `npm run bench -- reaction`. */
const folder = join(import.meta.dirname, 'bench');
const known = (await readdir(folder)).map((file) => file.replace(/\.ts$/, ''));
const usage = `npm run bench -- [${known.join(' | ')}]`;
const wanted = readArguments({ usage, takesWords: true }, ({ words }) => {
  const unknown = words.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NotUnderstood(`There is no benchmark ${unknown.join(', ')}.`);
  return words;
});
for (const name of wanted.length === 0 ? known : wanted) await import(join(folder, `${name}.ts`));
