import { availableParallelism } from 'node:os';
import { NotUnderstood, readArguments, whole } from '../../scripts/arguments.ts';
import type { MutantName } from './mutants.ts';
import { MUTANTS, isMutant } from './mutants.ts';
import { Player } from './players.ts';
import { shrink } from './shrink.ts';
import { DETAIL_INDENT } from './play.ts';
import type { Report } from './worker.ts';

const HELP = `npm run simulate -- [--seeds N] [--from S] [--players P]
npm run simulate -- --mutant name              plays until the planted fault is found
npm run simulate -- --seed S [--only 1,4,7]    plays one history again and prints what happened

Ends with 0 when no rule was broken, or the planted fault was found; with 1 otherwise; with 2 for unknown options.
Mutants: ${Object.keys(MUTANTS).join(', ')}`;

/** The number of histories in which a planted fault has to be found. */
const SEEDS_FOR_A_MUTANT = 1000;
const PROGRESS_EVERY_MS = 10_000;

interface Options {
  seeds: number;
  from: number;
  players: number;
  mutant: MutantName | null;
  seed: string | undefined;
  only: number[] | null;
}

/**
 * @param usual how many histories without --seeds
 * @returns the exit code
 */
export async function simulate(args: string[], usual = 100): Promise<number> {
  const names = ['seeds', 'from', 'players', 'mutant', 'seed', 'only'] as const;
  const options = readArguments({ usage: HELP, names }, ({ values }) => optionsOf(values, usual), args);
  return options.seed === undefined ? await playMany(options) : await playOne(options, options.seed);
}

/** @throws NotUnderstood */
function optionsOf(values: Partial<Record<string, string>>, usual: number): Options {
  const { seed, mutant = null, only } = values;
  if (mutant !== null && !isMutant(mutant)) throw new NotUnderstood(`no such mutant: ${mutant}`);
  if (only !== undefined && seed === undefined) throw new NotUnderstood('--only needs --seed');
  const number = (name: string, otherwise: number): number =>
    whole(name, values[name] ?? String(otherwise), 1, 10_000_000);
  return {
    seeds: number('seeds', mutant === null ? usual : SEEDS_FOR_A_MUTANT),
    from: number('from', 1),
    players: number('players', availableParallelism()),
    mutant,
    seed,
    only: only?.split(',').map((one) => whole('only', one, 0, 1000)) ?? null,
  };
}

async function playOne(options: Options, seed: string): Promise<number> {
  const { mutant, only } = options;
  const player = await Player.start(mutant);
  const report = await player.play({ seed, only });
  const again = await player.play({ seed, only });
  player.stop();
  console.log(JSON.stringify({ ...report, trace: undefined }, null, 2));
  const isSame = again.digest === report.digest;
  if (!isSame) console.log('Played twice it was not the same: the simulation itself is at fault.');
  printHistory(options, report);
  return report.violations.length > 0 || !isSame ? 1 : 0;
}

async function playMany(options: Options): Promise<number> {
  const { seeds, from, players, mutant } = options;
  const { failed, facts } = await playAll(options);
  // Histories in which SmartPause had nothing to do prove nothing.
  if (
    mutant === null &&
    seeds >= 20 &&
    !['holds', 'writes', 'mails'].every((name) => (facts[name] ?? 0) > 0)
  ) {
    console.log('The histories contain no hold, no write or no email.');
    return 1;
  }
  const [first] = failed.toSorted((a, b) => Number(a.seed) - Number(b.seed));
  if (first === undefined && mutant !== null)
    console.log(`NOT FOUND: the fault ${mutant} in ${seeds} histories from ${from} by ${players} players`);
  if (first === undefined) return mutant === null ? 0 : 1;
  const player = await Player.start(mutant);
  printHistory(options, await shrink((task) => player.play(task), first));
  player.stop();
  if (mutant === null) return 1;
  console.log(`The fault was found at seed ${first.seed}.`);
  return 0;
}

/** @returns the reports of histories in which a rule was broken, and what all histories contained */
async function playAll({ seeds, from, players, mutant }: Options) {
  const began = performance.now();
  const totals = { played: 0, virtualMs: 0, statements: 0, steps: 0 };
  const failed: Report[] = [];
  const facts: Record<string, number> = {};
  let next = from;
  const playOn = async (): Promise<void> => {
    const player = await Player.start(mutant);
    while (next < from + seeds && !(mutant !== null && failed.length > 0)) {
      const report = await player.play({ seed: String(next++), only: null });
      totals.played += 1;
      totals.virtualMs += report.virtualMs;
      totals.statements += report.statements;
      totals.steps += report.steps;
      for (const [name, value] of Object.entries(report.facts)) facts[name] = (facts[name] ?? 0) + value;
      if (report.violations.length === 0) continue;
      failed.push(report);
      console.log(`seed ${report.seed}: ${report.violations[0] ?? ''}`);
    }
    player.stop();
  };
  const progress = setInterval(() => {
    console.log(`  ${totals.played} of ${seeds} seeds played, ${failed.length} failed so far`);
  }, PROGRESS_EVERY_MS);
  await Promise.all(Array.from({ length: players }, playOn)).finally(() => clearInterval(progress));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const days = (totals.virtualMs / 86_400_000).toFixed(0);
  const counted = Object.entries(facts).map(([name, value]) => `${value} ${name}`);
  console.log(
    `${totals.played} seeds from ${from}, ${days} days, ${totals.steps} steps, ${totals.statements} statements, ` +
      `${counted.join(', ')}, in ${seconds} s: ${failed.length} failed`,
  );
  return { failed, facts };
}

/** Prints the events, the violations and the command that replays the history. */
function printHistory({ seed, mutant }: Options, report: Report): void {
  const { seed: played, only, events, violations, trace } = report;
  if (violations.length === 0) return;
  console.log(
    `\nThe shortest history found for seed ${played}: ${only?.length ?? events} of ${events} moments`,
  );
  const isLong = seed !== undefined;
  console.log(trace.filter((line) => isLong || !line.includes(`Z ${DETAIL_INDENT}`)).join('\n'));
  console.log(`\n${violations.join('\n')}`);
  const some = only === null ? '' : ` --only ${only.join(',')}`;
  const planted = mutant === null ? '' : ` --mutant ${mutant}`;
  console.log(`\nAgain: npm run simulate -- --seed ${played}${some}${planted}`);
}
