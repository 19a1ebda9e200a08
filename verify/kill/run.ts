import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { SIMULATED_APP } from '../../scripts/outside/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/outside/stripe.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { writeDocuments } from '../../test/support/web-folder.ts';
import { checkRun, enter } from '../check-run.ts';
import { createRandom } from '../fixtures/random.ts';
import { startRunPostgres } from '../fixtures/run-database.ts';
import { secretsIn } from '../invariants/secrets.ts';
import { LATENCY_MS, killProcesses, startLater } from './kills.ts';
import { startProcesses } from './processes.ts';

const USAGE = `npm run verify -- kill [--kills N]

Kills two processes of the real server (SIGKILL) on PostgreSQL, under load: at random moments, while they
start, and while Meta has a call that it has not answered. In between PostgreSQL is killed. Ends with 1 when a rule was broken.`;

const WAIT_MS = 180_000;
/** Longer than unconfirmed writes, backoff and the resume delay last. */
const LATER_MS = 15 * 60_000;
/** One user each. */
const DELAYED = { mode: 'delay', delay: { value: 1, unit: 'minutes' } };
const INSTANT = { mode: 'instant' };
const USERS = [
  ...(['LOW', 'MEDIUM', 'HIGH'] as const).map((threshold) => ({ threshold, resume: INSTANT })),
  ...(['LOW', 'MEDIUM'] as const).map((threshold) => ({ threshold, resume: DELAYED })),
];
const STATUSES = ['Resolved', 'Low disruptions', 'Medium disruptions', 'High disruptions'];

/** From an empty database to the report: load and kills, rest, one undisturbed outage, checks. @returns the exit code */
export async function kill(args: string[]): Promise<number> {
  const limit = readArguments(
    { usage: USAGE, names: ['kills'] },
    ({ values }) => whole('kills', values.kills ?? '100', 1, 100_000),
    args,
  );
  await using closing = new AsyncDisposableStack();
  const harness = await startHarness(closing);
  const { graph } = harness.simulators;
  let isOver = false;
  const load = runLoad(harness, () => isOver);
  const databaseKills = await killProcesses(harness, limit).finally(() => (isOver = true));
  await load;
  const { kills } = harness.processes;
  await harness.simulators.status.reports('Resolved');
  await harness.processes.killAll();
  await startLater(harness, LATER_MS);
  await waitForNone(harness, `holds where state <> 'ended'`);
  await runUndisturbedOutage(harness);
  const broken = await checkAll(harness);
  for (const violation of broken) console.log(`BROKEN  ${violation}`);
  const writes = (await graph.writes()).length;
  console.log(
    `${kills} kills, ${databaseKills} of PostgreSQL, ${writes} writes: ${broken.length} rules broken`,
  );
  return broken.length === 0 ? 0 : 1;
}

/** The product's processes, everything around them, and what the run did from outside. */
type Harness = Awaited<ReturnType<typeof startHarness>>;

/** An empty database, the simulators, the processes, and users who have set up. */
async function startHarness(closing: AsyncDisposableStack) {
  const { postgres, folder } = await startRunPostgres(closing);
  const simulators = await startSimulators();
  closing.defer(() => simulators.stop());
  await simulators.graph.post('/limits', { tier: 'off' });
  const [webFolder, logFile] = [join(folder, 'web'), join(folder, 'log')];
  await mkdir(webFolder);
  await writeDocuments(webFolder);
  const encryptionKey = randomBytes(32).toString('base64');
  const processes = await startProcesses(webFolder, logFile, {
    ...{ ...simulators.environment, DATABASE_URL: postgres.url, ENCRYPTION_KEY: encryptionKey },
    ...{ HOST: '127.0.0.1', STATUS_POLL_SECONDS: '0.2', MAIL_FROM: 'SmartPause <mail@example.com>' },
  });
  closing.defer(() => processes.killAll());
  const users = [];
  for (const settings of USERS) users.push(await enter({ product: processes, simulators, ...settings }));
  await simulators.graph.post('/latency', { ms: LATENCY_MS });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // Its connections end with those of the product.
  pool.on('error', () => undefined);
  closing.defer(() => pool.end());
  /** Must not appear in the log. */
  const secrets = [
    ...[encryptionKey, SIMULATED_APP.META_APP_SECRET, SIMULATED_STRIPE.STRIPE_SECRET_KEY],
    ...users.map(({ user }) => user.token),
  ];
  return {
    ...{ random: createRandom('1'), simulators, postgres, processes },
    ...{ campaigns: users.flatMap((user) => user.campaigns), logFile, secrets },
    query: async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[],
  };
}

/** Changes the status page until the run is over. */
async function runLoad({ random, simulators }: Harness, isOver: () => boolean): Promise<void> {
  for (let isOutage = false; !isOver(); isOutage = !isOutage) {
    await simulators.status.reports(isOutage ? 'Resolved' : random.pick(STATUSES));
    await sleep(random.whole(300, 2000));
  }
}

async function waitForNone({ query }: Harness, rows: string): Promise<void> {
  await waitFor(`no ${rows}`, async () => (await query(`select 1 from ${rows}`)).length === 0, WAIT_MS);
}

/** The product still works: campaigns that are active with SmartPause on are paused and resumed. */
async function runUndisturbedOutage(harness: Harness): Promise<void> {
  const { simulators, campaigns } = harness;
  const watched = campaigns.filter(({ kind }) => kind === 'watched');
  const become = (status: string): Promise<true> =>
    waitFor(
      `every campaign to be ${status} in the last outage`,
      async () => {
        const now = await simulators.graph.campaigns();
        return watched.every(({ id }) => now.get(id)?.status === status);
      },
      WAIT_MS,
    );
  await simulators.status.reports('High disruptions');
  await become('PAUSED');
  await simulators.status.reports('Resolved');
  await become('ACTIVE');
  await waitForNone(harness, `holds where state <> 'ended'`);
}

/** After the last email: the records agree, no secret is in the log, and no process ended by itself. */
async function checkAll(harness: Harness): Promise<string[]> {
  await waitForNone(harness, 'activities where pending_notification is not null');
  await waitForNone(harness, 'notifications where sent_at is null');
  const log = await readFile(harness.logFile, 'utf8');
  return [
    ...(await checkRun(harness)),
    ...secretsIn(log, harness.secrets).map((secret) => `${secret} is in the log`),
    ...harness.processes.unexpectedEnds,
  ];
}
