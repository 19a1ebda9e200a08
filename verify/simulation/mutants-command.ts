import { availableParallelism } from 'node:os';
import { readArguments, whole } from '../../scripts/arguments.ts';
import type { MutantName } from './mutants.ts';
import { MUTANTS, isMutant } from './mutants.ts';
import { Player } from './players.ts';

const USAGE = `npm run verify -- mutants [--seeds N] [--players P] [--only name,name]

Plants each fault of verify/simulation/mutants.ts in turn and plays histories until an invariant is violated, 200 at most.
Prints a table. Ends with 1 when a fault was not found.`;

interface Result {
  mutant: MutantName;
  /** The number of the history that found it; null: none did. */
  foundAt: number | null;
  violation: string;
}

/** @returns the exit code */
export async function runMutants(args: string[]): Promise<number> {
  const names = Object.keys(MUTANTS).filter(isMutant);
  const { seeds, players, only } = readArguments(
    { usage: USAGE, names: ['seeds', 'players', 'only'] },
    ({ values }) => ({
      seeds: whole('seeds', values.seeds ?? '200', 1, 100_000),
      players: whole('players', values.players ?? String(availableParallelism()), 1, 64),
      only: values.only?.split(','),
    }),
    args,
  );
  const waiting = names.filter((name) => only === undefined || only.includes(name));
  const results: Result[] = [];
  const playOn = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const result = await findMutant(mutant, seeds);
      results.push(result);
      console.log(rowOf(result, seeds));
    }
  };
  await Promise.all(Array.from({ length: players }, playOn));
  const found = results.filter(({ foundAt }) => foundAt !== null);
  console.log(`\n${found.length} of ${results.length} planted faults found within ${seeds} histories`);
  for (const result of results.toSorted((a, b) => (a.foundAt ?? Infinity) - (b.foundAt ?? Infinity)))
    console.log(rowOf(result, seeds));
  return found.length === results.length ? 0 : 1;
}

async function findMutant(mutant: MutantName, seeds: number): Promise<Result> {
  const player = await Player.start(mutant);
  try {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const [violation] = (await player.play({ seed: String(seed), only: null })).violations;
      if (violation !== undefined) return { mutant, foundAt: seed, violation };
    }
    return { mutant, foundAt: null, violation: '' };
  } finally {
    player.stop();
  }
}

function rowOf({ mutant, foundAt, violation }: Result, seeds: number): string {
  const where = foundAt === null ? `not found in ${seeds}` : `found at history ${foundAt}`;
  return `${mutant.padEnd(42)} ${where.padEnd(22)} ${violation.split('\n', 1)[0]?.slice(0, 120) ?? ''}`.trimEnd();
}
