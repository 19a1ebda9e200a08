import { takeNoArguments } from '../../scripts/arguments.ts';
import { silent } from '../../scripts/command.ts';
import { printFigures } from '../../scripts/figures.ts';
import { CALL_KINDS } from '../../src/core/detection/votes.ts';
import { createDb } from '../../src/server/db/database.ts';
import { addVotes } from '../../src/server/db/detection.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/all.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { Votes } from '../../src/server/detection/count-votes.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';

const CALLS_A_SECOND = 1000;
const ACCOUNTS = 10_000;
const MINUTES = 10;
const FAILED = { kind: 'transient', message: 'no answer', code: 2 } as never;

takeNoArguments(`npm run bench:votes

Counts ${CALLS_A_SECOND} calls a second of ${ACCOUNTS} ad accounts for ${MINUTES} minutes, one of ten failing, and stores them. Ends with 1 when that takes more than 1% of
a core.`);
await using closing = new AsyncDisposableStack();
const { url } = closing.use(await OwnPostgres.start({}));
const database = await openDatabase({ url, log: silent });
closing.defer(() => database.close());
await migrate(database, migrations);
const db = createDb(database.pool);

const calls = Array.from({ length: CALLS_A_SECOND * 60 }, (_one, index) => ({
  account: `act_${(index * 7919) % ACCOUNTS}`,
  kind: CALL_KINDS[index % CALL_KINDS.length] ?? 'campaigns',
  failure: index % 10 === 0 ? FAILED : null,
}));
let now = 0;
const votes = new Votes(() => now);
const countedMs: number[] = [];
const storedMs: number[] = [];
for (let minute = 0; minute < MINUTES; minute++) {
  countedMs.push(
    await usedBy(() => {
      calls.forEach(({ account, kind, failure }, index) => {
        now = minute * 60_000 + Math.floor((index / calls.length) * 60_000);
        votes.count(account, kind, failure);
      });
    }),
  );
  now = (minute + 1) * 60_000;
  storedMs.push(await usedBy(() => addVotes(db, votes.take(), { saysNothing: false })));
}
const limit = (of: number[]) => ({
  yardstick: 'limit 1% of a core',
  ratio: median(of) / 600,
  atMost: 1,
});
const perCall = (of: number[]) => `${((median(of) / calls.length) * 1000).toFixed(2)} µs a call`;
const both = countedMs.map((one, index) => one + (storedMs[index] ?? 0));
const isWithin = printFigures([
  {
    what: 'counting',
    measured: perCall(countedMs),
    yardstick: 'of all',
    ratio: median(countedMs) / median(both),
  },
  { what: 'counting and storing', measured: perCall(both), ...limit(both) },
]);
if (!isWithin) process.exitCode = 1;

/** @returns milliseconds of processor time of this process */
async function usedBy(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(of: number[]): number {
  return of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
}
