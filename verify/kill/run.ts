import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { freePorts } from '../../scripts/programs/free-port.ts';
import { startProgram } from '../../scripts/programs/program.ts';
import { SIMULATED_APP } from '../../scripts/simulator-clients/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/simulator-clients/stripe.ts';
import { waitFor } from '../../scripts/programs/wait-for.ts';
import { NODE_OPTIONS_OF_OURS, ROOT } from '../../scripts/run.ts';
import type { Received } from '../../simulators/channels/server.ts';
import { LATE_WRITE_MS } from '../../src/core/reconciler/hold.ts';
import { OwnPostgres } from '../../test/support/postgres.ts';
import { startSimulators } from '../../test/support/simulators.ts';
import { writeDocuments } from '../../test/support/web-folder.ts';
import { checkRun, enter } from '../fixtures/advertiser.ts';
import { createRandom } from '../fixtures/random.ts';
import { checkDeliveries } from '../invariants/deliveries.ts';
import { secretsIn } from '../invariants/secrets.ts';

const USAGE = `npm run verify -- kill [--kills N]

Kills two processes of the real server (SIGKILL) on PostgreSQL, under load: at random moments, while they
start, and while Meta has a call that it has not answered. In between PostgreSQL is killed. Each user has a webhook. Ends with 1 when a rule was broken.`;

const WAIT_MS = 180_000;
/** Longer than unconfirmed writes, backoff, the resume delay and the time between tries of a refused write last. */
const LATER_MS = 61 * 60_000;
const COMES_WITHIN_MS = 10_000;
const KILLS_PER_DATABASE_KILL = 5;
/** Meta's latency, so that kills fall into the middle of calls. */
const LATENCY_MS = 40;
/** The other process need not wait for the lease of a killed one. */
const POLLER_LEASE_OVER = 'update platform_status set poller_until = now()';
const INSTANT = { mode: 'instant' };
const DELAYED = { mode: 'delay', delay: { value: 1, unit: 'minutes' } };
/** One user each. */
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
  const run = await startRun(closing);
  let isOver = false;
  const load = Promise.all([changeStatus(run, () => isOver), refuse(run, () => isOver)]);
  const databaseKills = await killProcesses(run, limit).finally(() => (isOver = true));
  await load;
  const { kills } = run.processes;
  await run.simulators.status.reports('Resolved');
  for (const one of [run.simulators.graph, run.simulators.channels]) await one.ask('DELETE', '/faults');
  await run.simulators.graph.post('/app', { limitedMs: 0 });
  await killAllFor(run, LATER_MS);
  await runUndisturbedOutage(run);
  const broken = await checkAll(run);
  for (const violation of broken) console.log(`BROKEN  ${violation}`);
  const writes = (await run.simulators.graph.writes()).length;
  const webhooks = (await received(run)).length;
  console.log(
    `${kills} kills, ${databaseKills} of PostgreSQL, ${writes} writes, ${webhooks} webhooks: ${broken.length} rules broken`,
  );
  return broken.length === 0 ? 0 : 1;
}

/** The product's processes, everything around them, and users who have set up. */
type Run = Awaited<ReturnType<typeof startRun>>;

async function startRun(closing: AsyncDisposableStack) {
  const postgres = closing.use(await OwnPostgres.start());
  const simulators = await startSimulators();
  closing.defer(() => simulators.stop());
  await simulators.graph.post('/limits', { tier: 'off' });
  const webFolder = join(postgres.folder, 'web');
  await mkdir(webFolder);
  await writeDocuments(webFolder);
  const encryptionKey = randomBytes(32).toString('base64');
  const processes = await startProcesses(webFolder, {
    ...{ ...simulators.environment, DATABASE_URL: postgres.url, ENCRYPTION_KEY: encryptionKey },
    ...{ HOST: '127.0.0.1', STATUS_POLL_SECONDS: '0.2', MAIL_FROM: 'SmartPause <mail@example.com>' },
  });
  closing.defer(() => processes.kill(0, 1));
  const users = [];
  for (const settings of USERS) {
    const who = await enter({ product: processes, simulators, ...settings });
    const target = `${simulators.channels.url}/hooks/${users.push(who)}`;
    const events = ['paused', 'resumed', 'not_resumed'];
    await who.user.post('/api/destinations', { kind: 'webhook', name: 'Ours', target, events });
  }
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
    ...{ campaigns: users.flatMap((user) => user.campaigns), secrets },
    query: async <R>(sql: string) => (await pool.query<pg.QueryResultRow>(sql)).rows as R[],
  };
}

/** Two processes of the product, each on its own port. */
async function startProcesses(webFolder: string, settings: Record<string, string>) {
  const args = [...NODE_OPTIONS_OF_OURS, join(import.meta.dirname, 'product.ts'), webFolder];
  const ports = await freePorts(2);
  const url = `http://127.0.0.1:${ports[0] ?? 0}`;
  const env = { PATH: process.env['PATH'] ?? '', ...settings, PUBLIC_URL: url };
  const running: ReturnType<typeof startProgram>[] = [];
  process.once('exit', () => running.forEach(({ child }) => child.kill('SIGKILL')));
  const processes = {
    ...{ url, kills: 0 },
    /** How far the clocks of processes that start from now on are ahead. */
    aheadMs: 0,
    /** What each process has printed. */
    outputs: [] as { out: string; err: string }[],
    /** Ends that no signal of ours caused. */
    unexpectedEnds: [] as string[],
    /** One after the other: the first migrates the database. Resolves when they are ready, or have ended. */
    async start(...slots: number[]): Promise<void> {
      for (const slot of slots) {
        const own = { PORT: String(ports[slot]), AHEAD_MS: String(processes.aheadMs) };
        const program = startProgram(args, { cwd: ROOT, env: { ...env, ...own } });
        const { child, output, ended } = program;
        running[slot] = program;
        processes.outputs.push(output);
        void ended.then(([code, signal]) => {
          if (signal === null) processes.unexpectedEnds.push(`a process ended with the code ${String(code)}`);
        });
        const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
        await waitFor('the product', () => output.out.includes('SmartPause is ready') || hasEnded(), WAIT_MS);
      }
    },
    async kill(...slots: number[]): Promise<void> {
      for (const slot of slots) {
        processes.kills += 1;
        running[slot]?.child.kill('SIGKILL');
        await running[slot]?.ended;
      }
    },
  };
  await processes.start(0, 1);
  return processes;
}

/** Kills and restarts the product's processes this many times. @returns how often PostgreSQL was killed */
async function killProcesses(run: Run, kills: number): Promise<number> {
  const { postgres, random, processes } = run;
  let databaseKills = 0;
  for (let turn = 0; processes.kills < kills; turn += 1) {
    if (turn % 3 === 0) await killDuringCall(run);
    else await killAtRandom(run, turn % 6 === 5);
    if (processes.kills < KILLS_PER_DATABASE_KILL * (databaseKills + 1)) continue;
    // It is away for a while and then recovers.
    await postgres.killFor(random.whole(100, 4000));
    databaseKills += 1;
  }
  return databaseKills;
}

async function killAtRandom({ processes, random, query }: Run, whileStarting: boolean): Promise<void> {
  const slot = whileStarting ? 0 : random.whole(0, 1);
  if (whileStarting) await processes.kill(slot);
  const starting = whileStarting ? processes.start(slot) : null;
  await sleep(random.whole(100, 1300));
  await processes.kill(slot);
  await query(POLLER_LEASE_OVER);
  await starting;
  await processes.start(slot);
}

/** Kills all processes while Meta has an unanswered batch of writes: carried out, or not. */
async function killDuringCall(run: Run): Promise<void> {
  const { graph } = run.simulators;
  const kind = run.random.pick(['hang_before', 'hang_after']);
  const fault = await graph.fault({ kind, times: 1, match: { method: 'POST' } });
  const deadline = performance.now() + COMES_WITHIN_MS;
  while ((await graph.parked(fault)) === 0 && performance.now() < deadline) await sleep(25);
  await killAllFor(run, LATE_WRITE_MS, () => graph.ask('DELETE', `/faults/${fault}`));
}

/** Kills all processes, and starts them with the clocks of SmartPause, Meta, its status page and the channels set ahead. */
async function killAllFor(run: Run, ms: number, whileDead?: () => Promise<unknown>): Promise<void> {
  const { processes, simulators, query } = run;
  await processes.kill(0, 1);
  await whileDead?.();
  // No call is on its way.
  await sleep(5 * LATENCY_MS);
  processes.aheadMs += ms;
  for (const one of [simulators.graph, simulators.status, simulators.channels])
    await one.post('/clock', { offsetMs: processes.aheadMs });
  await processes.start(0, 1);
  // These follow the clock of the database.
  await query('update work_items set due_at = now() where due_at is not null');
}

/** Changes the status page until the run is over. */
async function changeStatus({ random, simulators }: Run, isOver: () => boolean): Promise<void> {
  for (let isOutage = false; !isOver(); isOutage = !isOutage) {
    await simulators.status.reports(isOutage ? 'Resolved' : random.pick(STATUSES));
    await sleep(random.whole(300, 2000));
  }
}

/** Meta refuses some writes for a reason that passes, and now and then the whole app; webhooks fail, too, until the run is over. */
async function refuse(
  { random, simulators: { graph, channels } }: Run,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const passes = { kind: 'error', code: 415, subcode: 2859009, match: { method: 'POST', op: 'inner' } };
    await graph.fault({ ...passes, times: random.whole(1, 4) });
    await channels.fault({ kind: random.pick(['error', 'reset']), times: random.whole(1, 3) });
    if (random.chance(0.1)) await graph.post('/app', { limitedMs: 2000 });
    await sleep(random.whole(2000, 8000));
  }
}

async function waitForNone({ query }: Run, rows: string): Promise<void> {
  await waitFor(`no ${rows}`, async () => (await query(`select 1 from ${rows}`)).length === 0, WAIT_MS);
}

/** The product still works: campaigns that are active with SmartPause on are paused and resumed. */
async function runUndisturbedOutage(run: Run): Promise<void> {
  const { simulators, campaigns } = run;
  const watched = campaigns.filter(({ kind }) => kind === 'watched');
  await waitForNone(run, `holds where state <> 'ended'`);
  for (const [phrase, expected] of [
    ['High disruptions', 'PAUSED'],
    ['Resolved', 'ACTIVE'],
  ] as const) {
    await simulators.status.reports(phrase);
    const become = async () => {
      const now = await simulators.graph.campaigns();
      return watched.every(({ id }) => now.get(id)?.status === expected);
    };
    await waitFor(`every campaign to be ${expected} in the last outage`, become, WAIT_MS);
  }
  await waitForNone(run, `holds where state <> 'ended'`);
}

/** All webhooks. */
async function received({ simulators: { channels } }: Run): Promise<Received[]> {
  return (await channels.ask<{ messages: Received[] }>('GET', '/messages')).messages;
}

/** After the last email: the records agree, no secret is in the log, and no process ended by itself. */
async function checkAll(run: Run): Promise<string[]> {
  await waitForNone(run, 'activities where pending_notification is not null');
  await waitForNone(run, 'deliveries where sent_at is null');
  const log = run.processes.outputs.map(({ out, err }) => out + err).join('');
  return [
    ...(await checkRun(run)),
    ...(await checkDeliveries(run.query, await received(run))),
    ...secretsIn(log, run.secrets).map((secret) => `${secret} is in the log`),
    ...run.processes.unexpectedEnds,
  ];
}
