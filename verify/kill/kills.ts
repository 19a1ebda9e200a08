import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnPostgres } from '../../scripts/outside/own-postgres.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { LATE_WRITE_MS } from '../../src/core/smartpause/hold.ts';
import type { Random } from '../fixtures/random.ts';
import type { Query } from '../invariants/snapshot.ts';
import type { Processes } from './processes.ts';
import type { Statement } from './product.ts';

interface Harness {
  processes: Processes;
  postgres: OwnPostgres;
  simulators: Simulators;
  query: Query;
  random: Random;
}

const INTENT = '^commit after.*for update of work_items';
const CHANGE_OF_HOLDS = '^commit after.*update holds set';
const RELEASE = 'update work_items set leased_by = null';
/** From the claim of a work item to its release. */
const STATEMENTS: Statement[] = [
  { when: 'after', text: '^\\s*update work_items set leased_by = \\$1' },
  { when: 'before', text: INTENT },
  { when: 'after', text: INTENT },
  { when: 'before', text: CHANGE_OF_HOLDS },
  { when: 'after', text: CHANGE_OF_HOLDS },
  { when: 'before', text: RELEASE },
  { when: 'after', text: RELEASE },
];
const COMES_WITHIN_MS = 10_000;
const KILLS_PER_DATABASE_FAULT = 5;
/** Meta's latency, so that kills fall into the middle of calls. */
export const LATENCY_MS = 40;

/** Kills and restarts the product's processes this many times. @returns the number of faults of the database */
export async function killProcesses(harness: Harness, kills: number): Promise<number> {
  let databaseFaults = 0;
  for (let turn = 0; harness.processes.kills < kills; turn += 1) {
    await KILLS[turn % KILLS.length]?.(harness, turn);
    if (harness.processes.kills < KILLS_PER_DATABASE_FAULT * (databaseFaults + 1)) continue;
    await DATABASE_FAULTS[databaseFaults % DATABASE_FAULTS.length]?.(harness);
    databaseFaults += 1;
  }
  return databaseFaults;
}

/** A call comes before each statement: time passes there, and accounts with unconfirmed writes work again. */
const KILLS = [atCall, atStatement, atRandom, atCall, atStatement, whileStarting];
const DATABASE_FAULTS = [killServer, fillDisk, endConnections];

async function atStatement({ processes, random }: Harness, turn: number): Promise<void> {
  const slot = random.pick(processes.slots);
  const statement = STATEMENTS[Math.floor(turn / 3) % STATEMENTS.length] as Statement;
  processes.dieAt(slot, statement);
  const isLate = await Promise.race([processes.exited(slot), sleep(COMES_WITHIN_MS, true)]);
  // Also a sign that the product words the statement in another way by now.
  if (isLate === true) console.log(`  no process was killed ${statement.when} ${statement.text}`);
  await processes.restart(slot);
}

async function atRandom({ processes, random }: Harness): Promise<void> {
  const slot = random.pick(processes.slots);
  await sleep(random.whole(100, 1300));
  await processes.restart(slot);
}

async function whileStarting({ processes, random }: Harness): Promise<void> {
  await processes.kill(0);
  const starting = processes.start(0);
  await sleep(random.whole(100, 1300));
  await Promise.all([starting, processes.restart(0)]);
}

/** Kills all processes while Meta has an unanswered batch of writes: carried out, or not. */
async function atCall(harness: Harness): Promise<void> {
  const { graph } = harness.simulators;
  const kind = harness.random.pick(['hang_before', 'hang_after']);
  const fault = await graph.fault({ kind, times: 1, match: { method: 'POST' } });
  const deadline = performance.now() + COMES_WITHIN_MS;
  while ((await graph.parked(fault)) === 0 && performance.now() < deadline) await sleep(25);
  await harness.processes.killAll();
  await graph.ask('DELETE', `/faults/${fault}`);
  await startLater(harness, LATE_WRITE_MS);
}

/** Sets SmartPause, Meta and its status page ahead, while no process runs and no call is on its way. */
export async function startLater(
  { processes, simulators: { graph, status }, query }: Pick<Harness, 'processes' | 'simulators' | 'query'>,
  ms: number,
): Promise<void> {
  await sleep(5 * LATENCY_MS);
  processes.aheadMs += ms;
  for (const one of [graph, status]) await one.post('/clock', { offsetMs: processes.aheadMs });
  await processes.startAll();
  // These follow the clock of the database.
  await query('update work_items set due_at = now() where due_at is not null');
}

/** SIGKILL for all of PostgreSQL, which is away for a while and then recovers. */
async function killServer({ postgres, random }: Harness): Promise<void> {
  await postgres.killFor(random.whole(100, 4000));
}

/** Every write fails with the SQLSTATE of a full disk. A really full file system needs root. */
async function fillDisk({ query, random }: Harness): Promise<void> {
  await query(`create or replace function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  const tables = await query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`,
  );
  for (const { name } of tables)
    await query(`create trigger disk_full before insert or update or delete on ${name}
      for each statement execute function disk_full()`);
  await sleep(random.whole(1000, 6000));
  await query('drop function disk_full() cascade');
}

async function endConnections({ query }: Harness): Promise<void> {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
