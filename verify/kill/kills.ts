import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnPostgres } from '../../scripts/outside/own-postgres.ts';
import type { Simulators } from '../../scripts/outside/simulators.ts';
import { LATE_WRITE_MS } from '../../src/core/reconciler/hold.ts';
import type { Random } from '../fixtures/random.ts';
import type { Query } from '../invariants/snapshot.ts';
import type { Processes } from './processes.ts';

interface Harness {
  processes: Processes;
  postgres: OwnPostgres;
  simulators: Simulators;
  query: Query;
  random: Random;
}

const COMES_WITHIN_MS = 10_000;
const KILLS_PER_DATABASE_KILL = 5;
/** Meta's latency, so that kills fall into the middle of calls. */
export const LATENCY_MS = 40;

/** Kills and restarts the product's processes this many times. @returns how often PostgreSQL was killed */
export async function killProcesses(harness: Harness, kills: number): Promise<number> {
  const { postgres, random, processes } = harness;
  let databaseKills = 0;
  for (let turn = 0; processes.kills < kills; turn += 1) {
    await KILLS[turn % KILLS.length]?.(harness);
    if (processes.kills < KILLS_PER_DATABASE_KILL * (databaseKills + 1)) continue;
    // It is away for a while and then recovers.
    await postgres.killFor(random.whole(100, 4000));
    databaseKills += 1;
  }
  return databaseKills;
}

/** After each kill during a call time passes, so that accounts with unconfirmed writes work again. */
const KILLS = [duringCall, atRandom, atRandom, duringCall, atRandom, whileStarting];

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
async function duringCall(harness: Harness): Promise<void> {
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
