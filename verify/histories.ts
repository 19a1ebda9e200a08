import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { oneOf, readArguments, whole } from '../scripts/arguments.ts';
import type { Play, Report, Task } from './fixtures/history.ts';
import type { PlantedFault } from './fixtures/planted-fault.ts';
import { MUTANTS as OF_MODEL } from './model/mutants.ts';
import { MUTANTS as OF_SIMULATION } from './simulation/mutants.ts';

interface Kind {
  command: string;
  /** How many histories without --seeds. */
  usual: number;
  mutants: Record<string, PlantedFault>;
  /** How many histories find each of them. */
  perMutant: number;
  /** Without one of each, SmartPause had nothing to do, and nothing is proved. */
  facts: readonly string[];
}

export const KINDS = {
  simulation: {
    ...{ command: 'npm run simulate --', usual: 10_000, mutants: OF_SIMULATION, perMutant: 90 },
    facts: ['holds', 'writes', 'mails'],
  },
  model: {
    ...{ command: 'npm run verify -- model', usual: 100_000, mutants: OF_MODEL, perMutant: 20_000 },
    facts: ['holds'],
  },
} satisfies Record<string, Kind>;
type KindName = keyof typeof KINDS;

function usageOf({ command, usual, mutants }: Kind): string {
  return `${command} [--seeds N] [--from S] [--mutant NAME]    plays N histories (${usual} by default), or until one breaks a rule
${command} --seed S [--mutant NAME]    plays one history and prints what happened
    --only 1,4,7    these moments of a simulated history

Ends with 1 when a rule was broken, with 2 for unknown options.
Mutants, which are planted faults: ${Object.keys(mutants).join(', ')}`;
}

const MUTATE = `npm run verify -- mutants [--only name,name]

Plants each fault of the simulation and of the model in turn and plays histories until a rule is broken.
Ends with 1 when a fault was not found.`;

/** The world of a simulated history leaves some memory behind. */
const PER_PROCESS: Record<KindName, number> = { simulation: 250, model: Infinity };

/** @returns the exit code */
export function playHistories(kind: KindName, args: string[]): Promise<number> {
  const names = ['seeds', 'from', 'mutant', 'seed', 'only'] as const;
  const { usual, mutants } = KINDS[kind];
  const options = readArguments(
    { usage: usageOf(KINDS[kind]), names },
    ({ values: { seeds, from, mutant, seed, only } }) => ({
      kind,
      seeds: whole('seeds', seeds ?? String(usual), 1, 100_000_000),
      from: whole('from', from ?? '1', 1, 100_000_000),
      seed,
      mutant: mutant === undefined ? null : oneOf('mutant', mutant, Object.keys(mutants)),
      only: only?.split(',').map((one) => whole('only', one, 0, 1000)) ?? null,
    }),
    args,
  );
  const { seed } = options;
  return seed === undefined ? playMany(options) : playOne({ ...options, seed });
}

/** The histories of a kind, with a planted fault or without. */
interface Source {
  kind: KindName;
  mutant: string | null;
}

interface Range extends Source {
  from: number;
  seeds: number;
}

async function playOne({ seed, only, ...source }: Source & Task): Promise<number> {
  const report = await withPlayer(source, (play) => play({ seed, only }));
  console.log(`${report.trace.join('\n')}\n${linesOf(report)}`);
  return report.violations.length === 0 ? 0 : 1;
}

async function playMany(range: Range): Promise<number> {
  const began = performance.now();
  const { failed, facts } = await findViolation(range);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${range.seeds} seeds from ${range.from}, ${listOf(facts)}, in ${seconds} s`);
  const { command, facts: needed } = KINDS[range.kind];
  if (failed === undefined) return needed.every((name) => facts[name]) ? 0 : 1;
  const shortest = await withPlayer(range, (play) => shorten(play, failed));
  const only = shortest.only === null ? '' : ` --only ${shortest.only.join()}`;
  console.log(`${linesOf(shortest)}\nWhat happened: ${command} --seed ${failed.seed}${only}`);
  return 1;
}

/** @returns the exit code */
export async function findMutants(args: string[]): Promise<number> {
  const all = (['simulation', 'model'] as const).flatMap((kind) =>
    Object.keys(KINDS[kind].mutants).map((mutant) => ({ kind, mutant })),
  );
  const names = all.map(({ mutant }) => mutant);
  const chosen = readArguments(
    { usage: MUTATE, names: ['only'] },
    ({ values }) => values.only?.split(',').map((name) => oneOf('only', name, names)) ?? names,
    args,
  );
  let missed = 0;
  for (const source of all.filter(({ mutant }) => chosen.includes(mutant))) {
    const { failed } = await findViolation({ ...source, from: 1, seeds: KINDS[source.kind].perMutant });
    if (failed === undefined) missed += 1;
    const where = failed === undefined ? 'not found' : `found at history ${failed.seed}`;
    const violation = failed?.violations[0]?.split('\n', 1)[0] ?? '';
    console.log(`${source.mutant.padEnd(42)} ${where.padEnd(24)} ${violation.slice(0, 120)}`.trimEnd());
  }
  console.log(`\n${chosen.length - missed} of ${chosen.length} planted faults found`);
  return missed === 0 ? 0 : 1;
}

/** Plays histories on each processor until one breaks a rule. */
async function findViolation({ from, seeds, ...source }: Range) {
  const facts: Record<string, number> = {};
  const failed: Report[] = [];
  let next = from;
  const isOver = (): boolean => failed.length > 0 || next >= from + seeds;
  const playSome = async (play: Play): Promise<void> => {
    for (let played = 0; played < PER_PROCESS[source.kind] && !isOver(); played += 1) {
      const report = await play({ seed: String(next++), only: null });
      for (const [name, value] of Object.entries(report.facts)) facts[name] = (facts[name] ?? 0) + value;
      if (report.violations.length > 0) failed.push(report);
    }
  };
  const playAll = async (): Promise<void> => {
    while (!isOver()) await withPlayer(source, playSome);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, playAll));
  return { failed: failed[0], facts };
}

/** Plays histories in a child process. */
export async function withPlayer<T>({ kind, mutant }: Source, work: (play: Play) => Promise<T>): Promise<T> {
  const args = [kind, ...(mutant === null ? [] : [mutant])];
  const execArgv = ['--max-semi-space-size=32'];
  const child = fork(join(import.meta.dirname, 'history-worker.ts'), args, { execArgv });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    throw new Error(`the process that plays histories ended with ${code ?? 'a signal'}`);
  });
  // Also after all of them.
  ended.catch(() => undefined);
  const play: Play = async (task) => {
    child.send(task);
    const [report] = (await Promise.race([once(child, 'message'), ended])) as [Report];
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
