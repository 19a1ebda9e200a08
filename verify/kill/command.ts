import { readArguments, whole } from '../../scripts/arguments.ts';
import { killRun } from './run.ts';

const USAGE = `npm run verify -- kill [--kills N] [--processes 1-4] [--seed S]

Kills processes of the real server (SIGKILL) on PostgreSQL, under load and while Meta fails, at random moments, while they
start, and while Meta has a call that it has not answered. In between connections end, PostgreSQL is killed, in part or as a
whole, and its disk is full for a while. Ends with 1 when a rule was broken.`;

/** @returns the exit code */
export async function kill(args: string[]): Promise<number> {
  const options = readArguments(
    { usage: USAGE, names: ['kills', 'processes', 'seed'] },
    ({ values }) => ({
      kills: whole('kills', values.kills ?? '100', 1, 100_000),
      processes: whole('processes', values.processes ?? '2', 1, 4),
      seed: whole('seed', values.seed ?? '1', 0, 2 ** 31),
    }),
    args,
  );
  const began = performance.now();
  let next = PROGRESS_EVERY;
  const onKill = (done: number): void => {
    if (done < next) return;
    next += PROGRESS_EVERY;
    console.log(`  ${done} kills`);
  };
  const { broken, counts } = await killRun({ ...options, users: 6, databaseFaultEvery: 5, onKill });
  for (const violation of broken) console.log(`BROKEN  ${violation}`);
  const counted = Object.entries(counts).map(([name, value]) => `${value} ${name}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${counted.join(', ')}, in ${seconds} s: ${broken.length} rules broken`);
  return broken.length === 0 ? 0 : 1;
}

const PROGRESS_EVERY = 20;
