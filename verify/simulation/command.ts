import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { oneOf, readArguments, whole } from '../../scripts/arguments.ts';
import { MUTANTS } from './mutants.ts';
import type { Report, Task } from './play-history.ts';

const NAMES = Object.keys(MUTANTS);
const HISTORIES_PER_MUTANT = 90;

const SIMULATE = `npm run simulate -- [--seeds N] [--from S] [--mutant NAME]    plays N histories, or until one breaks a rule, which is shortened
npm run simulate -- --seed S [--only 1,4,7] [--mutant NAME]    plays one history, or these moments of it, and prints what happened

Ends with 1 when a rule was broken, with 2 for unknown options.
Mutants, which are planted faults: ${NAMES.join(', ')}`;

const MUTATE = `npm run verify -- mutants [--only name,name]

Plants each fault of verify/simulation/mutants.ts in turn and plays histories until a rule is broken, ${HISTORIES_PER_MUTANT} at most.
Ends with 1 when a fault was not found.`;

type Play = (task: Task) => Promise<Report>;

/** @param usual how many histories without --seeds. @returns the exit code */
export function simulate(args: string[], usual: number): Promise<number> {
  const names = ['seeds', 'from', 'mutant', 'seed', 'only'] as const;
  const options = readArguments(
    { usage: SIMULATE, names },
    ({ values: { seeds, from, mutant, seed, only } }) => ({
      seeds: whole('seeds', seeds ?? String(usual), 1, 10_000_000),
      from: whole('from', from ?? '1', 1, 10_000_000),
      seed,
      mutant: mutant === undefined ? null : oneOf('mutant', mutant, NAMES),
      only: only?.split(',').map((one) => whole('only', one, 0, 1000)) ?? null,
    }),
    args,
  );
  const { seed } = options;
  return seed === undefined ? playMany(options) : playOne({ ...options, seed });
}

interface Range {
  mutant: string | null;
  from: number;
  seeds: number;
}

async function playOne({ mutant, ...task }: Task & { mutant: string | null }): Promise<number> {
  const report = await withPlayer(mutant, (play) => play(task));
  console.log(`${report.trace.join('\n')}\n${linesOf(report)}`);
  return report.violations.length === 0 ? 0 : 1;
}

async function playMany(range: Range): Promise<number> {
  const began = performance.now();
  const { failed, facts } = await findViolation(range);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${range.seeds} seeds from ${range.from}, ${listOf(facts)}, in ${seconds} s`);
  // Histories in which SmartPause had nothing to do prove nothing.
  if (failed === undefined) return ['holds', 'writes', 'mails'].every((name) => facts[name]) ? 0 : 1;
  const shortest = await withPlayer(range.mutant, (play) => shorten(play, failed));
  const only = shortest.only === null ? '' : ` --only ${shortest.only.join()}`;
  console.log(`${linesOf(shortest)}\nWhat happened: npm run simulate -- --seed ${failed.seed}${only}`);
  return 1;
}

/** @returns the exit code */
export async function findMutants(args: string[]): Promise<number> {
  const mutants = readArguments(
    { usage: MUTATE, names: ['only'] },
    ({ values }) => values.only?.split(',').map((name) => oneOf('only', name, NAMES)) ?? NAMES,
    args,
  );
  const missed: string[] = [];
  for (const mutant of mutants) {
    const { failed } = await findViolation({ mutant, from: 1, seeds: HISTORIES_PER_MUTANT });
    if (failed === undefined) missed.push(mutant);
    const where = failed === undefined ? 'not found' : `found at history ${failed.seed}`;
    const violation = failed?.violations[0]?.split('\n', 1)[0] ?? '';
    console.log(`${mutant.padEnd(42)} ${where.padEnd(22)} ${violation.slice(0, 120)}`.trimEnd());
  }
  console.log(`\n${mutants.length - missed.length} of ${mutants.length} planted faults found`);
  return missed.length === 0 ? 0 : 1;
}

/** Plays histories on each processor until one breaks a rule. */
async function findViolation({ mutant, from, seeds }: Range) {
  const facts: Record<string, number> = {};
  const failed: Report[] = [];
  let next = from;
  const playOn = async (play: Play): Promise<void> => {
    while (failed.length === 0 && next < from + seeds) {
      const report = await play({ seed: String(next++), only: null });
      for (const [name, value] of Object.entries(report.facts)) facts[name] = (facts[name] ?? 0) + value;
      if (report.violations.length > 0) failed.push(report);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, () => withPlayer(mutant, playOn)));
  return { failed: failed[0], facts };
}

/** Plays histories in a child process, with a planted fault or without. */
export async function withPlayer<T>(mutant: string | null, work: (play: Play) => Promise<T>): Promise<T> {
  const args = mutant === null ? [] : [mutant];
  const execArgv = ['--max-semi-space-size=32'];
  const child = fork(join(import.meta.dirname, 'worker.ts'), args, { execArgv });
  const play = async (task: Task): Promise<Report> => {
    child.send(task);
    const [report] = (await once(child, 'message')) as [Report];
    return report;
  };
  return work(play).finally(() => child.kill('SIGKILL'));
}

/** Leaves out each moment, the last one first, without which the history still fails in the same way. */
async function shorten(play: Play, failed: Report): Promise<Report> {
  let best = failed;
  const all = Array.from({ length: failed.events }, (_none, index) => index);
  for (const left of all.toReversed()) {
    const report = await play({ seed: failed.seed, only: (best.only ?? all).filter((one) => one !== left) });
    if (kindOf(report) === kindOf(failed)) best = report;
  }
  return best;
}

/** The violation without the numbers, names and times of this history. */
function kindOf({ violations: [first] }: Report): string | undefined {
  return first?.split('\n', 1)[0]?.replaceAll(/[\d.:TZ-]+/g, '#');
}

function linesOf({ seed, only, events, violations, facts }: Report): string {
  const title = `\nHistory ${seed}, ${only?.length ?? events} of ${events} moments: ${listOf(facts)}`;
  return [title, ...(violations.length > 0 ? violations : ['No rule was broken.'])].join('\n');
}

function listOf(facts: Report['facts']): string {
  return Object.entries(facts)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}
