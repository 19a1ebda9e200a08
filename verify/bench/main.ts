import { NotUnderstood, readArguments } from '../../scripts/arguments.ts';
import type { Figure } from '../../scripts/figures.ts';
import { printFigures } from '../../scripts/figures.ts';

const BENCHMARKS: Record<string, () => Promise<Figure[]>> = {
  reaction: async () => (await import('./reaction.ts')).measureReaction(),
  'fan-out': async () => (await import('./fan-out.ts')).measureFanOut(),
};
const known = Object.keys(BENCHMARKS);
const usage = `npm run bench -- [${known.join(' | ')}]

Runs all of them, or those named, each beside its yardstick. Ends with 1 when a limit is exceeded.`;
const wanted = readArguments({ usage, takesWords: true }, ({ words }) => {
  const unknown = words.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NotUnderstood(`There is no benchmark ${unknown.join(', ')}.`);
  return words.length === 0 ? known : words;
});

for (const name of wanted) {
  process.stdout.write(`${name}\n`);
  const figures = (await BENCHMARKS[name]?.()) ?? [];
  if (!printFigures(figures)) process.exitCode = 1;
}
