import { availableParallelism } from 'node:os';
import { oneOf, readArguments, whole } from '../../scripts/arguments.ts';
import type { MutantName } from './mutants.ts';
import { MUTANTS, isMutant } from './mutants.ts';
import { findMutant } from './players.ts';
import type { Report } from './worker.ts';

const USAGE = `npm run verify -- mutants [--seeds N] [--players P] [--only name,name]

Plants each fault of verify/simulation/mutants.ts in turn and plays histories until an invariant is violated, 200 at most.
Prints a table. Ends with 1 when a fault was not found.`;

type Found = [mutant: MutantName, report: Report | null];

/** @returns the exit code */
export async function runMutants(args: string[]): Promise<number> {
  const names = Object.keys(MUTANTS).filter(isMutant);
  const { seeds, players, only } = readArguments(
    { usage: USAGE, names: ['seeds', 'players', 'only'] },
    ({ values }) => ({
      seeds: whole('seeds', values.seeds ?? '200', 1, 100_000),
      players: whole('players', values.players ?? String(availableParallelism()), 1, 64),
      only: values.only?.split(',').map((name) => oneOf('only', name, names)),
    }),
    args,
  );
  const waiting = names.filter((name) => only === undefined || only.includes(name));
  const results: Found[] = [];
  const playOn = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const result: Found = [mutant, await findMutant(mutant, seeds)];
      results.push(result);
      console.log(rowOf(result, seeds));
    }
  };
  await Promise.all(Array.from({ length: players }, playOn));
  const found = results.filter(([, report]) => report !== null);
  console.log(`\n${found.length} of ${results.length} planted faults found within ${seeds} histories`);
  const foundAt = ([, report]: Found): number => Number(report?.seed ?? Infinity);
  for (const result of results.toSorted((a, b) => foundAt(a) - foundAt(b))) console.log(rowOf(result, seeds));
  return found.length === results.length ? 0 : 1;
}

function rowOf([mutant, report]: Found, seeds: number): string {
  const where = report === null ? `not found in ${seeds}` : `found at history ${report.seed}`;
  const violation = report?.violations[0]?.split('\n', 1)[0] ?? '';
  return `${mutant.padEnd(42)} ${where.padEnd(22)} ${violation.slice(0, 120)}`.trimEnd();
}
