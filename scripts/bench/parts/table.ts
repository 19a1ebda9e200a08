import { readFile, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import { format, resolveConfig } from 'prettier';
import type { Figure } from './figure.ts';
import { describeLimit, isMet } from './figure.ts';

/** Between these the table stands; what is around it is written by people. */
const BEGIN = '<!-- table: begin -->';
const END = '<!-- table: end -->';

export function tellFigure(figure: Figure): string {
  const { what, measured, yardstick, ratio, limit } = figure;
  const kept = limit === null ? '' : `, ${describeLimit(limit)}${isMet(figure) ? '' : ': NOT KEPT'}`;
  return `${ratio.toFixed(3)}${kept} | ${what}: ${measured} (${yardstick})`;
}

/** Replaces the table in the file by these figures, with the day and the machine. */
export async function writeTable(file: string, figures: readonly Figure[]): Promise<void> {
  const before = await readFile(file, 'utf8');
  const [head, rest] = before.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for the table`);
  const rows = figures.map((figure) => {
    const { what, measured, yardstick, ratio, limit } = figure;
    const kept = limit === null ? '' : `${describeLimit(limit)}${isMet(figure) ? '' : ' **not kept**'}`;
    return `| ${ratio.toFixed(2)} | ${kept} | ${what} | ${measured} | ${yardstick} |`;
  });
  const [{ model } = { model: 'unknown' }] = cpus();
  const machine = `${cpus().length} × ${model}, ${Math.round(totalmem() / 1e9)} GB, ${platform()} ${arch()}, Node ${process.versions.node}`;
  const table = [
    BEGIN,
    `Measured on ${new Date().toISOString().slice(0, 10)} on ${machine}.`,
    '',
    '| ratio | limit | what | measured | yardstick |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    END,
  ].join('\n');
  const whole = `${head}${table}${tail}`;
  await writeFile(file, await format(whole, { ...(await resolveConfig(file)), parser: 'markdown' }));
}
