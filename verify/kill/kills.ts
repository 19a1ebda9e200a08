import { setTimeout as sleep } from 'node:timers/promises';
import { breakDatabase } from './database-faults.ts';
import type { Harness } from './harness.ts';

export interface KillSchedule {
  kills: number;
  /** The number of kills between two faults of the database. */
  databaseFaultEvery: number;
  onKill?: (done: number) => void;
}

/** Kills and restarts the product's processes this many times, at random and at chosen points. */
export async function killProcesses(
  harness: Harness,
  { kills, databaseFaultEvery, onKill = () => undefined }: KillSchedule,
): Promise<void> {
  const { processes, random } = harness;
  let next = databaseFaultEvery;
  while (processes.kills < kills) {
    const way = random.pick([atRandom, atRandom, atRandom, atCall, whileStarting]);
    await way(harness);
    onKill(processes.kills);
    if (processes.kills < next) continue;
    next += databaseFaultEvery;
    await breakDatabase(harness);
  }
}

const LIVES_MS = [100, 1300] as const;
const PARKED_WITHIN_MS = 10_000;

async function atRandom({ processes, random }: Harness): Promise<void> {
  const slot = random.whole(0, processes.size - 1);
  await sleep(random.whole(...LIVES_MS));
  await processes.kill(slot);
  await processes.start(slot);
}

async function whileStarting({ processes, random }: Harness): Promise<void> {
  const slot = random.whole(0, processes.size - 1);
  await processes.kill(slot);
  processes.begin(slot);
  await sleep(random.whole(...LIVES_MS));
  await processes.kill(slot);
  await processes.start(slot);
}

/** Kills all processes while Meta has an unanswered batch of writes: carried out, or not. */
async function atCall({ processes, random, simulators: { graph } }: Harness): Promise<void> {
  const kind = random.pick(['hang_before', 'hang_after']);
  const fault = await graph.fault({ kind, times: 1, match: { method: 'POST' } });
  const deadline = performance.now() + PARKED_WITHIN_MS;
  while ((await graph.parked(fault)) === 0 && performance.now() < deadline) await sleep(25);
  for (let slot = 0; slot < processes.size; slot += 1) await processes.kill(slot);
  await graph.ask('DELETE', `/faults/${fault}`);
  await processes.startAll();
}
