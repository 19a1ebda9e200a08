import { randomInt } from 'node:crypto';
import { startPostgres } from '../test/postgres.ts';
import { oneOf, readArguments, whole } from './arguments.ts';
import type { Finding, FuzzReport } from './fuzz/run.ts';
import { fuzz, namesOfTargets } from './fuzz/run.ts';

const TARGETS = namesOfTargets();
const USAGE = `npm run fuzz -- [--requests N] [--seed S] [--only call] [--repeat finding]

Calls: ${TARGETS.join(', ')}`;

/** Asks the product for everything in every way: `npm run fuzz -- --requests 100000 --seed 1`. */
const names = ['requests', 'seed', 'only', 'repeat'] as const;
const { requests, seed, only, repeat } = readArguments({ usage: USAGE, names }, ({ values }) => {
  if (values.repeat !== undefined) oneOf('repeat', values.repeat.split(':')[0] ?? '', TARGETS);
  return {
    requests: whole('requests', values.requests ?? '100000', 1, 100_000_000),
    seed: values.seed === undefined ? randomInt(2 ** 31) : whole('seed', values.seed, 0, 2 ** 31 - 1),
    only: values.only === undefined ? undefined : oneOf('only', values.only, TARGETS),
    repeat: values.repeat,
  };
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const postgres = await startPostgres();
try {
  say(`Fuzzing with the seed ${seed}`);
  const report = await fuzz({
    requests,
    seed,
    only,
    repeat,
    databaseUrl: postgres.url,
    onProgress: tellProgress,
    onFinding: tellFinding,
  });
  tell(report);
  if (report.findings.length > 0) process.exitCode = 1;
} finally {
  await postgres.stop();
}

function tellProgress({ requests: done, seconds, findings, heapBytes }: FuzzReport): void {
  const heap = Math.round((heapBytes.at(-1) ?? 0) / 1e6);
  say(`  ${done} requests in ${Math.round(seconds)} s, ${findings.length} findings, ${heap} MB in use`);
}

function tellFinding({ fault, request, repeat }: Finding): void {
  say(`\nFOUND: ${fault}\n${request}`);
  if (repeat !== null) say(`again: npm run fuzz -- --repeat '${repeat}'\n`);
}

function tell({
  requests: done,
  seconds,
  statuses,
  findings,
  slowestMs,
  heapBytes,
  logLines,
}: FuzzReport): void {
  say(`\n${'asked for'.padEnd(24)}${'requests'.padStart(9)}  by status`);
  for (const [name, counts] of statuses) {
    const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
    const by = [...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, count]) => `${status}: ${count}`);
    say(`${name.padEnd(24)}${String(total).padStart(9)}  ${by.join('  ')}`);
  }
  const heaps = heapBytes.map((bytes) => Math.round(bytes / 1e6));
  say(`\n${done} requests in ${Math.round(seconds)} s; the slowest took ${Math.round(slowestMs)} ms`);
  say(
    `in use after a collection: ${heaps[0] ?? 0} MB at first, ${heaps.at(-1) ?? 0} MB at last; ${logLines} lines of log read`,
  );
  say(findings.length === 0 ? 'Nothing was found.' : `\n${findings.length} findings, with the seed ${seed}.`);
}
