import { readFile } from 'node:fs/promises';
import { readArguments, whole } from '../../scripts/arguments.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { checkRun } from '../check-run.ts';
import { secretsIn } from '../invariants/secrets.ts';
import type { Harness } from './harness.ts';
import { startHarness } from './harness.ts';
import { killProcesses } from './kills.ts';
import { changeStatus, runLoad } from './load.ts';

const USAGE = `npm run verify -- kill [--kills N]

Kills two processes of the real server (SIGKILL) on PostgreSQL, under load and while Meta fails: at chosen statements, at random
moments, while they start, and while Meta has a call that it has not answered. In between PostgreSQL is killed, its disk is
full, or its connections end. Ends with 1 when a rule was broken.`;

const WAIT_MS = 180_000;
/** Longer than leases of killed processes, unconfirmed writes and backoff last. */
const UNCONFIRMED_MS = 15 * 60_000;
/** Longer than the resume is delayed for some users. */
const DELAY_MS = 2 * 60_000;

/** From an empty database to the report: load and kills, rest, one undisturbed outage, checks. @returns the exit code */
export async function kill(args: string[]): Promise<number> {
  const limit = readArguments(
    { usage: USAGE, names: ['kills'] },
    ({ values }) => whole('kills', values.kills ?? '100', 1, 100_000),
    args,
  );
  await using closing = new AsyncDisposableStack();
  const harness = await startHarness(closing);
  const { simulators, processes } = harness;
  let isOver = false;
  const load = runLoad(harness, () => isOver);
  const databaseFaults = await killProcesses(harness, limit).finally(() => (isOver = true));
  await load;
  const { kills } = processes;
  await simulators.graph.ask('DELETE', '/faults');
  await changeStatus(harness, 'UP');
  await setAhead(harness, UNCONFIRMED_MS);
  await waitForNoHolds(harness);
  const broken = [...(await checkUndisturbedOutage(harness)), ...(await checkAll(harness))];
  for (const violation of broken) console.log(`BROKEN  ${violation}`);
  const writes = await simulators.graph.writes();
  console.log(
    `${kills} kills, ${databaseFaults} database faults, ${harness.statusChanges.length} changes of`,
  );
  console.log(`the status, ${writes.length} writes to Meta: ${broken.length} rules broken`);
  return broken.length === 0 ? 0 : 1;
}

/** Moves the clocks of SmartPause, Meta and its status page. */
async function setAhead(harness: Harness, ms: number): Promise<void> {
  const { processes, simulators, clock } = harness;
  clock.advance(ms);
  const offsetMs = clock.now() - Date.now();
  for (const one of [simulators.graph, simulators.status]) await one.post('/clock', { offsetMs });
  for (const slot of processes.slots) processes.order(slot, { aheadMs: ms });
}

async function waitForNoHolds({ query }: Harness): Promise<void> {
  const sql = `select 1 from hold where state <> 'ended'`;
  await waitFor('every hold to end', async () => (await query(sql)).length === 0, WAIT_MS);
}

/** Campaigns that are active with SmartPause on are paused and resumed; nothing else changes. */
async function checkUndisturbedOutage(harness: Harness): Promise<string[]> {
  const { graph } = harness.simulators;
  const before = await graph.campaigns();
  const watched = harness.campaigns.filter(({ kind }) => kind === 'watched');
  for (const [level, status] of [
    ['HIGH_DISRUPTION', 'PAUSED'],
    ['UP', 'ACTIVE'],
  ] as const) {
    await changeStatus(harness, level);
    if (level === 'UP') await setAhead(harness, DELAY_MS);
    const isDone = async (): Promise<boolean> => {
      const now = await graph.campaigns();
      return watched.every(({ id }) => now.get(id)?.status === status);
    };
    await waitFor(`every campaign to be ${status} in the last outage`, isDone, WAIT_MS);
  }
  await waitForNoHolds(harness);
  const after = await graph.campaigns();
  return [...before.values()]
    .filter(({ id, status }) => after.get(id)?.status !== status)
    .map(({ name }) => `${name} changed in an outage without trouble`);
}

/** After the last email: the records agree, no secret is in the log, and no process ended by itself. */
async function checkAll(harness: Harness): Promise<string[]> {
  const { query, processes, secrets, logFile } = harness;
  const unsent = 'select 1 from notification where sent_at is null';
  await waitFor('emails', async () => (await query(unsent)).length === 0, WAIT_MS);
  const log = await readFile(logFile, 'utf8');
  return [
    ...(await checkRun(harness)),
    ...secretsIn(log, secrets).map((secret) => `${secret} is in the log`),
    ...processes.unexpectedEnds,
  ];
}
