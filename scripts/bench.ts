import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NotUnderstood, readArguments } from './arguments.ts';
import type { Figure } from './bench/parts/figure.ts';
import { isMet } from './bench/parts/figure.ts';
import { describeFigure, writeTables } from './bench/parts/table.ts';

interface Benchmark {
  run: () => Promise<Figure[]>;
}

/** The order in the table. */
const ORDER = ['reaction', 'fan-out', 'pages', 'scrolling', 'size'];

const folder = join(import.meta.dirname, 'bench');
const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
const known = files
  .map((file) => file.replace(/\.ts$/, ''))
  .toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
const usage = `npm run bench -- [${known.join(' | ')}] [--write file]

Runs all of them, or those named, each beside its yardstick. Ends with 1 when a limit is not kept.
--write puts the figures of this run into a file, such as docs/performance.md; what was not run stays as it was.`;
const { wanted, file } = readArguments({ usage, names: ['write'], takesWords: true }, ({ words, values }) => {
  const unknown = words.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NotUnderstood(`There is no benchmark ${unknown.join(', ')}.`);
  return {
    wanted: words.length === 0 ? known : words,
    file: values.write,
  };
});

const found = new Map<string, Figure[]>();
for (const name of wanted) {
  process.stdout.write(`${name}\n`);
  const { run } = (await import(join(folder, `${name}.ts`))) as Benchmark;
  try {
    const figures = await run();
    for (const one of figures) process.stdout.write(`  ${describeFigure(one)}\n`);
    found.set(name, figures);
  } catch (error) {
    // A missed limit does not discard the figures of the other benchmarks.
    process.stderr.write(
      `  could not be measured: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
if (file !== undefined) await writeTables(file, found, ORDER);
if (![...found.values()].flat().every(isMet)) process.exitCode = 1;
