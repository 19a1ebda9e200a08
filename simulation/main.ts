import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { MUTANTS, isMutant } from './mutants.ts';
import { Player } from './players.ts';
import { shrink } from './shrink.ts';
import { BETWEEN } from './telling.ts';
import type { Report } from './worker.ts';

const HELP = `npm run simulate -- [--seeds N] [--from S] [--players P]
npm run simulate -- --mutant name              plays until the planted fault is found
npm run simulate -- --seed S [--only 1,4,7]    plays one history again and tells it

Ends with 0 when nothing was found, or the planted fault was; with 1 otherwise; with 2 when it was asked for what it cannot do.
Mutants: ${Object.keys(MUTANTS).join(', ')}`;

/** Where a planted fault is looked for. */
const SEEDS_FOR_A_MUTANT = 1000;
const TELL_EVERY_MS = 10_000;

const count = z.coerce.number().int().min(1);
const schema = z
  .object({
    seeds: count.optional(),
    from: count.default(1),
    players: count.default(availableParallelism()),
    mutant: z.string().refine(isMutant, { error: 'no such mutant' }).nullable().default(null),
    seed: z.string().optional(),
    only: z
      .string()
      .regex(/^\d+(,\d+)*$/)
      .transform((list) => list.split(',').map(Number))
      .nullable()
      .default(null),
  })
  .refine((one) => one.only === null || one.seed !== undefined, { error: '--only needs --seed' });

const text = { type: 'string' } as const;
const { from, players, mutant, seed, only, ...wanted } = readOptions();
const seeds = wanted.seeds ?? (mutant === null ? 100 : SEEDS_FOR_A_MUTANT);
process.exitCode = seed === undefined ? await playMany() : await playOne(seed);

function readOptions(): z.output<typeof schema> {
  try {
    const { help, ...given } = parseArgs({
      options: {
        seeds: text,
        from: text,
        players: text,
        mutant: text,
        seed: text,
        only: text,
        help: { type: 'boolean' },
      },
    }).values;
    if (help !== true) return schema.parse(given);
    console.log(HELP);
    return process.exit();
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    console.error(`${reason}\n\n${HELP}`);
    return process.exit(2);
  }
}

async function playOne(one: string): Promise<number> {
  const player = await Player.start(mutant);
  const report = await player.play({ seed: one, only });
  const again = await player.play({ seed: one, only });
  player.stop();
  console.log(JSON.stringify({ ...report, trace: undefined }, null, 2));
  if (again.digest !== report.digest)
    console.log('Played twice it was not the same: the simulation itself is at fault.');
  tell(report);
  return report.violations.length > 0 || again.digest !== report.digest ? 1 : 0;
}

async function playMany(): Promise<number> {
  const began = performance.now();
  const totals = { played: 0, failed: [] as Report[], virtualMs: 0, statements: 0, steps: 0 };
  const facts: Record<string, number> = {};
  let next = from;
  const playOn = async (): Promise<void> => {
    const player = await Player.start(mutant);
    while (next < from + seeds && !(mutant !== null && totals.failed.length > 0)) {
      const report = await player.play({ seed: String(next++), only: null });
      totals.played += 1;
      totals.virtualMs += report.virtualMs;
      totals.statements += report.statements;
      totals.steps += report.steps;
      for (const [name, value] of Object.entries(report.facts)) facts[name] = (facts[name] ?? 0) + value;
      if (report.violations.length > 0) {
        totals.failed.push(report);
        console.log(`seed ${report.seed}: ${report.violations[0] ?? ''}`);
      }
    }
    player.stop();
  };
  const progress = setInterval(() => {
    console.log(`  ${totals.played} of ${seeds} seeds played, ${totals.failed.length} failed so far`);
  }, TELL_EVERY_MS);
  await Promise.all(Array.from({ length: players }, playOn));
  clearInterval(progress);
  const seconds = (performance.now() - began) / 1000;
  const days = Math.round(totals.virtualMs / 86_400_000);
  console.log(
    `${totals.played} seeds from ${from}, ${days} days, ${totals.steps} steps, ${totals.statements} statements, ` +
      `${Object.entries(facts)
        .map(([name, value]) => `${value} ${name}`)
        .join(', ')}, in ${seconds.toFixed(0)} s: ` +
      `${totals.failed.length} failed`,
  );
  const [first] = totals.failed.toSorted((a, b) => Number(a.seed) - Number(b.seed));
  if (first === undefined && mutant !== null) console.log(`NOT FOUND: the fault ${mutant}`);
  if (first === undefined) return mutant === null ? 0 : 1;
  const player = await Player.start(mutant);
  tell(await shrink((task) => player.play(task), first));
  player.stop();
  if (mutant === null) return 1;
  console.log(`The fault was found at seed ${first.seed}.`);
  return 0;
}

/** What happened, what was wrong with it, and how to see it again. */
function tell({ seed: one, only: kept, moments, violations, trace }: Report): void {
  if (violations.length === 0) return;
  console.log(
    `\nThe shortest history found for seed ${one}: ${kept?.length ?? moments} of ${moments} moments`,
  );
  const isLong = seed !== undefined;
  console.log(trace.filter((line) => isLong || !line.includes(`Z ${BETWEEN}`)).join('\n'));
  console.log(`\n${violations.join('\n')}`);
  const some = kept === null ? '' : ` --only ${kept.join(',')}`;
  console.log(
    `\nAgain: npm run simulate -- --seed ${one}${some}${mutant === null ? '' : ` --mutant ${mutant}`}`,
  );
}
