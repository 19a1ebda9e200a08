import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { oneOf, readArguments, whole } from '../../scripts/arguments.ts';
import { MUTANTS } from './mutants.ts';
import type { Report, Task } from './play-history.ts';

const NAMES = Object.keys(MUTANTS);

const SIMULATE = `npm run simulate -- [--seeds N] [--from S]       plays N histories; shortens the first in which a rule is broken
npm run simulate -- --seed S [--only 1,4,7] [--mutant NAME]    plays one history, or these moments of it, and prints what happened

Ends with 1 when a rule was broken, with 2 for unknown options.
Mutants, which are planted faults: ${NAMES.join(', ')}`;

export type Play = (task: Task) => Promise<Report>;

const PROGRESS_EVERY = 500;
const SHRINKING_PLAYS = 250;
/** Real time for one history: a longer one never ends. */
const ENDLESS_MS = 900_000;

/** @param usual how many histories without --seeds. @returns the exit code */
export function simulate(args: string[], usual = 100): Promise<number> {
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

async function playOne(given: Task & { mutant: string | null }): Promise<number> {
  const report = await withPlayer(given.mutant, (play) => play(given));
  console.log(report.trace.join('\n'));
  printViolations(report);
  return report.violations.length === 0 ? 0 : 1;
}

async function playMany({ seeds, from }: { seeds: number; from: number }): Promise<number> {
  const began = performance.now();
  const failed: Report[] = [];
  const facts: Record<string, number> = {};
  let next = from;
  const playOn = async (play: Play): Promise<void> => {
    while (next < from + seeds) {
      const report = await play({ seed: String(next++), only: null });
      for (const [name, value] of Object.entries(report.facts)) facts[name] = (facts[name] ?? 0) + value;
      if (next % PROGRESS_EVERY === 0) console.log(`  ${next - from} of ${seeds}, ${failed.length} failed`);
      if (report.violations.length === 0) continue;
      failed.push(report);
      console.log(`seed ${report.seed}: ${report.violations[0] ?? ''}`);
    }
  };
  await onEachProcessor(() => withPlayer(null, playOn));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${seeds} seeds from ${from}, ${listOf(facts)}, in ${seconds} s: ${failed.length} failed`);
  const [first] = failed.toSorted((a, b) => Number(a.seed) - Number(b.seed));
  if (first !== undefined) {
    const shortest = await withPlayer(null, (play) => shrink(play, first));
    printViolations(shortest);
    console.log(
      `What happened: npm run simulate -- --seed ${first.seed} --only ${shortest.only?.join() ?? ''}`,
    );
  }
  // Histories in which SmartPause had nothing to do prove nothing.
  const hasProved = ['holds', 'writes', 'mails'].every((name) => (facts[name] ?? 0) > 0);
  return first === undefined && hasProved ? 0 : 1;
}

function printViolations({ seed, only, events, violations, facts }: Report): void {
  console.log(`\nHistory ${seed}, ${only?.length ?? events} of ${events} moments: ${listOf(facts)}`);
  console.log(violations.join('\n') || 'No rule was broken.');
}

function listOf(facts: Report['facts']): string {
  return Object.entries(facts)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
}

const HISTORIES_PER_MUTANT = 400;
const MUTATE = `npm run verify -- mutants [--only name,name]

Plants each fault of verify/simulation/mutants.ts in turn and plays histories until a rule is broken, ${HISTORIES_PER_MUTANT} at most.
Ends with 1 when a fault was not found.`;

/** @returns the exit code */
export async function findMutants(args: string[]): Promise<number> {
  const only = readArguments(
    { usage: MUTATE, names: ['only'] },
    ({ values }) => values.only?.split(',').map((name) => oneOf('only', name, NAMES)) ?? NAMES,
    args,
  );
  const waiting = [...only];
  const missed: string[] = [];
  await onEachProcessor(async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const report = await withPlayer(mutant, findViolation);
      if (report === null) missed.push(mutant);
      const where = report === null ? 'not found' : `found at history ${report.seed}`;
      const violation = report?.violations[0]?.split('\n', 1)[0] ?? '';
      console.log(`${mutant.padEnd(42)} ${where.padEnd(22)} ${violation.slice(0, 120)}`.trimEnd());
    }
  });
  console.log(`\n${only.length - missed.length} of ${only.length} planted faults found`);
  return missed.length === 0 ? 0 : 1;
}

async function findViolation(play: Play): Promise<Report | null> {
  for (let seed = 1; seed <= HISTORIES_PER_MUTANT; seed += 1) {
    const report = await play({ seed: String(seed), only: null });
    if (report.violations.length > 0) return report;
  }
  return null;
}

async function onEachProcessor(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Plays histories in a child process, with a planted fault or without. A history that never ends throws. */
export async function withPlayer<T>(mutant: string | null, work: (play: Play) => Promise<T>): Promise<T> {
  const args = mutant === null ? [] : [mutant];
  const child = fork(join(import.meta.dirname, 'worker.ts'), args, {
    execArgv: ['--max-semi-space-size=32'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('the process that plays histories has ended');
  });
  // It also ends when the work is done.
  ended.catch(() => undefined);
  const play = async (task: Task): Promise<Report> => {
    const late = setTimeout(() => child.kill('SIGKILL'), ENDLESS_MS);
    const played = once(child, 'message') as Promise<[Report]>;
    child.send(task);
    const [report] = await Promise.race([played, ended]).finally(() => clearTimeout(late));
    return report;
  };
  return work(play).finally(() => child.kill('SIGKILL'));
}

/** Finds a short history that fails in the same way: omits halves first and single moments last, while it still fails. */
async function shrink(play: Play, failed: Report): Promise<Report> {
  let best = failed;
  let kept = Array.from({ length: failed.events }, (_none, index) => index);
  let plays = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < kept.length && plays < SHRINKING_PLAYS; plays += 1) {
      const only = kept.toSpliced(from, size);
      const report = await play({ seed: failed.seed, only });
      if (kindOf(report) === kindOf(failed)) [best, kept] = [report, only];
      else from += size;
    }
  return best;
}

/** The violation without the numbers, names and times of this history. */
function kindOf({ violations: [first] }: Report): string | undefined {
  return first?.split('\n', 1)[0]?.replaceAll(/[\d.:TZ-]+/g, '#');
}
