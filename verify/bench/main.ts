import { randomBytes } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeNoArguments } from '../../scripts/arguments.ts';
import { buildWeb } from '../../scripts/build.ts';
import { silent } from '../../scripts/command.ts';
import { printFigures } from '../../scripts/figures.ts';
import { SIMULATORS, startSimulators } from '../../scripts/simulator-clients/simulators.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { createApp } from '../../src/server/compose/app.ts';
import { readConfig } from '../../src/server/config/read-config.ts';
import { createDb } from '../../src/server/db/database.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { migrations } from '../../src/server/db/migrations/all.ts';
import { openDatabase } from '../../src/server/db/open-database.ts';
import { createTokenCipher } from '../../src/server/secrets.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';
import { plantCrowd, plantRows, plantTokens } from '../../test/support/population.ts';

const LATENCY_MS = 150;
/** A preparation may take longer than a request. */
const PREPARING_MS = 600_000;
const POPULATION = { users: 2000, accountsEach: 10, campaignsEach: 5 };
const ACCOUNTS = POPULATION.users * POPULATION.accountsEach;
const LONGEST_BLOCK_MS = 100;

takeNoArguments(`npm run bench

Pauses the campaigns of all users at once: 20,000 ad accounts, 100,000 campaigns, two calls each. Ends with 1 when a limit is exceeded.`);
await using closing = new AsyncDisposableStack();
// As durable as in production; the simulators have a process of their own.
const { url } = closing.use(await OwnPostgres.start({}));
const simulators = await startSimulators(SIMULATORS, 'free');
closing.defer(() => simulators.stop());
const { graph, status } = simulators;
const database = await openDatabase({ url, log: silent, statementTimeoutMs: PREPARING_MS });
closing.defer(() => database.close());
await migrate(database, migrations);
const db = createDb(database.pool);
const key = randomBytes(32).toString('base64');
const tokens = await plantCrowd(graph, POPULATION);
await plantRows(db, POPULATION, new Date());
await plantTokens(db, createTokenCipher([key]), tokens, new Date());
// Autovacuum does the same after a while.
await database.pool.query('analyze');
await graph.post('/latency', { ms: LATENCY_MS });
const worker = { DATABASE_URL: url, ENCRYPTION_KEY: key, ROLE: 'worker', LOG_LEVEL: 'fatal' };
const config = readConfig({ ...simulators.environment, ...worker, STATUS_POLL_SECONDS: '1' });
const app = await createApp(config, { webFolder: (await buildWeb()).folder });
closing.defer(() => app.close());

await waitFor('a read of the status page', async () => (await status.requests()).length > 2);
await graph.ask('DELETE', '/requests');
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const usedBefore = process.cpuUsage();
await status.reports('High disruptions');
await waitFor('all campaigns to be paused', allArePaused, 900_000);
const { user, system } = process.cpuUsage(usedBefore);
const { firstAt } = await graph.ask<{ firstAt: number }>('GET', '/requests/tally');
const tookMs = Date.parse((await graph.writes()).at(-1)?.at ?? '') - firstAt;
// The reconciler's own limit of concurrent calls.
const idealMs = (ACCOUNTS * 2 * LATENCY_MS) / 200;
const longestMs = delay.max / 1e6;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const measured = `${seconds(tookMs)}, ${seconds((user + system) / 1000)} of processor time`;
const ideal = { yardstick: `ideal ${seconds(idealMs)}`, ratio: tookMs / idealMs, atMost: 1.25 };
const limit = { yardstick: `limit ${LONGEST_BLOCK_MS} ms`, ratio: longestMs / LONGEST_BLOCK_MS, atMost: 1 };
const isWithin = printFigures([
  { what: `${ACCOUNTS} ad accounts`, measured, ...ideal },
  { what: 'longest block of the event loop', measured: `${longestMs.toFixed(0)} ms`, ...limit },
]);
if (!isWithin) process.exitCode = 1;

/** Paused by SmartPause, confirmed by Meta. */
async function allArePaused(): Promise<boolean> {
  const paused = "select count(*)::int as count from holds where state = 'paused'";
  const { rows } = await database.pool.query<{ count: number }>(paused);
  return rows[0]?.count === ACCOUNTS * POPULATION.campaignsEach || sleep(500, false);
}
