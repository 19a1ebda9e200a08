import { randomInt } from 'node:crypto';
import { oneOf, readArguments, whole } from '../../scripts/arguments.ts';
import { allTargets, fuzz } from './run.ts';

const MAX_SEED = 2 ** 31 - 1;
const PROGRESS_EVERY = 2000;

/** @returns the exit code */
export async function fuzzContract(args: string[]): Promise<number> {
  const names = allTargets().map(({ name }) => name);
  const usage = `npm run verify -- fuzz [--requests N] [--seed S] [--only target]

Sends requests made from the contract, valid, nearly valid and hostile, to the real server on PostgreSQL. Ends with 1 when
a response or the effect of a request breaks a rule.
Targets: ${names.join(', ')}`;
  const options = readArguments(
    { usage, names: ['requests', 'seed', 'only'] },
    ({ values }) => ({
      requests: whole('requests', values.requests ?? '50000', 1, 100_000_000),
      seed: values.seed === undefined ? randomInt(MAX_SEED) : whole('seed', values.seed, 0, MAX_SEED),
      only: values.only === undefined ? undefined : oneOf('only', values.only, names),
    }),
    args,
  );
  console.log(`Fuzzing with the seed ${options.seed}`);
  const began = performance.now();
  let next = PROGRESS_EVERY;
  const onProgress = (done: number): void => {
    if (done < next) return;
    next += PROGRESS_EVERY;
    console.log(`  ${done} requests`);
  };
  const { requests, statuses, findings } = await fuzz({ ...options, onProgress });
  for (const [name, counts] of statuses) {
    const by = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(`${name.padEnd(24)}${by.join('  ')}`);
  }
  for (const finding of findings) console.log(`\nFOUND  ${finding}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${requests} requests in ${seconds} s: ${findings.length} findings`);
  return findings.length === 0 ? 0 : 1;
}
