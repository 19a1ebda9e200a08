import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Figure } from './figure.ts';
import { describeLimit, isMet } from './figure.ts';

/** The tables stand between these markers; authors write the text around them. */
const BEGIN = '<!-- table: begin -->';
const END = '<!-- table: end -->';

export function describeFigure(figure: Figure): string {
  const { what, measured, yardstick, ratio, limit } = figure;
  const kept = limit === null ? '' : `, ${describeLimit(limit)}${isMet(figure) ? '' : ': NOT KEPT'}`;
  return `${ratio.toFixed(3)}${kept} | ${what}: ${measured} (${yardstick})`;
}

/** Replaces the tables of these benchmarks, each with day, commit and machine. Keeps the others. */
export async function writeTables(
  file: string,
  found: ReadonlyMap<string, readonly Figure[]>,
  order: readonly string[],
): Promise<void> {
  const before = await readFile(file, 'utf8');
  const [head, rest] = before.split(BEGIN);
  const [middle, tail] = rest?.split(END) ?? [];
  if (head === undefined || middle === undefined || tail === undefined)
    throw new Error(`${file} has no place for the tables`);
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)} at ${await currentCommit()} on ${machine()}.`;
  const chapters = order.flatMap((name) => {
    const figures = found.get(name);
    if (figures === undefined) return chapterOf(middle, name) ?? [];
    return [`### ${name}\n\n${measured}\n\n${tableOf(figures)}`];
  });
  const whole = [`${head}${BEGIN}`, ...chapters, `${END}${tail}`].join('\n\n');
  await writeFile(file, await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, measured, yardstick, ratio, limit } = figure;
    const kept = limit === null ? '' : `${describeLimit(limit)}${isMet(figure) ? '' : ' **not kept**'}`;
    return `| ${ratio.toFixed(2)} | ${kept} | ${what} | ${measured} | ${yardstick} |`;
  });
  return ['| ratio | limit | what | measured | yardstick |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** The existing table of this benchmark; undefined: there is none. */
function chapterOf(middle: string, name: string): string | undefined {
  return middle
    .split(/^(?=### )/m)
    .find((chapter) => chapter.startsWith(`### ${name}\n`))
    ?.trim();
}

async function currentCommit(): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['describe', '--always', '--dirty']);
  return stdout.trim();
}

function machine(): string {
  const [{ model } = { model: 'unknown' }] = cpus();
  return `${cpus().length} × ${model}, ${(totalmem() / 1e9).toFixed(0)} GB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
