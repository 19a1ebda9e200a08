import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { playHistory } from './history.ts';
import { MUTANTS } from './mutants.ts';
import type { Played } from './worker.ts';

const HISTORIES = 100_000;
const PER_MUTANT = 6000;
const STREAMS = ['first', 'second'] as const;
const USAGE = `npm run verify -- model [--histories N] [--show NAME] [--mutants]

Plays N histories (${HISTORIES} by default) of one campaign on two random streams through the reconciler's decision.
--show NAME   prints one history, such as first/17
--mutants     plants each fault of verify/model/mutants.ts in turn: ${PER_MUTANT} histories at most must find it
Ends with 1 when a history breaks a rule, or a fault was not found.`;

/** @returns the exit code */
export async function checkModel(args: string[]): Promise<number> {
  const { histories, show, isMutants } = readArguments(
    { usage: USAGE, names: ['histories', 'show'], flags: ['mutants'] },
    ({ values, flags }) => ({
      histories: whole('histories', values.histories ?? String(HISTORIES), 1, 100_000_000),
      show: values.show,
      isMutants: flags.has('mutants'),
    }),
    args,
  );
  if (isMutants) return findMutants();
  if (show !== undefined) return showHistory(show);
  const all = await Promise.all(STREAMS.map((stream) => play(stream, Math.ceil(histories / STREAMS.length))));
  const failed = all.flatMap((one) => one.failed);
  for (const { name, violation } of failed) console.log(`${name}: ${violation}`);
  const holds = all.reduce((sum, one) => sum + one.holds, 0);
  const played = all.reduce((sum, one) => sum + one.histories, 0);
  console.log(`${played} histories on ${STREAMS.length} streams, ${holds} holds: ${failed.length} failed`);
  return failed.length === 0 && holds > 0 ? 0 : 1;
}

function showHistory(name: string): number {
  const { trace, violations } = playHistory(name);
  console.log([...trace, '', ...violations].join('\n'));
  return violations.length === 0 ? 0 : 1;
}

async function findMutants(): Promise<number> {
  let missed = 0;
  for (const name of Object.keys(MUTANTS)) {
    const { histories, failed } = await play(STREAMS[0], PER_MUTANT, name);
    const [found] = failed;
    if (found === undefined) missed += 1;
    const where = found === undefined ? 'not found' : `history ${histories}`;
    console.log(`${name.padEnd(42)} ${where.padEnd(14)} ${found?.violation ?? ''}`.trimEnd());
  }
  console.log(
    `\n${Object.keys(MUTANTS).length - missed} of ${Object.keys(MUTANTS).length} planted faults found`,
  );
  return missed === 0 ? 0 : 1;
}

/** In a process of its own, with a planted fault or without. */
async function play(stream: string, count: number, mutant = ''): Promise<Played> {
  const worker = join(import.meta.dirname, 'worker.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [worker, stream, String(count), mutant]);
  return JSON.parse(stdout) as Played;
}
