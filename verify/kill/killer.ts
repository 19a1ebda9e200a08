import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** Kills the product's processes so many times, at random and at chosen points, and starts them again. */
export async function killProcesses(
  stage: Stage,
  kills: number,
  onKill: (done: number) => void,
): Promise<void> {
  const { processes, dice } = stage;
  let next = DATABASE_TROUBLE_EVERY;
  while (processes.kills < kills) {
    const way = dice.pick([atRandom, atRandom, atRandom, atCall, whileStarting]);
    await way(stage);
    onKill(processes.kills);
    if (processes.kills < next) continue;
    next += DATABASE_TROUBLE_EVERY;
    await dice.pick([endConnections, killBackend])(stage);
  }
}

const DATABASE_TROUBLE_EVERY = 10;
const LIVES_MS = [100, 1300] as const;
const PARKED_WITHIN_MS = 10_000;

async function atRandom({ processes, dice }: Stage): Promise<void> {
  const slot = dice.whole(0, processes.size - 1);
  await sleep(dice.whole(...LIVES_MS));
  await processes.kill(slot);
  await processes.start(slot);
}

async function whileStarting({ processes, dice }: Stage): Promise<void> {
  const slot = dice.whole(0, processes.size - 1);
  await processes.kill(slot);
  processes.begin(slot);
  await sleep(dice.whole(...LIVES_MS));
  await processes.kill(slot);
  await processes.start(slot);
}

/** All processes, while Meta has a batch of writes that it has not answered: carried out, or not. */
async function atCall({ processes, dice, simulators: { graph } }: Stage): Promise<void> {
  const kind = dice.pick(['hang_before', 'hang_after']);
  const fault = await graph.fault({ kind, times: 1, match: { method: 'POST' } });
  const deadline = performance.now() + PARKED_WITHIN_MS;
  while ((await graph.parked(fault)) === 0 && performance.now() < deadline) await sleep(25);
  for (let slot = 0; slot < processes.size; slot += 1) await processes.kill(slot);
  await graph.ask('DELETE', `/faults/${fault}`);
  await processes.startAll();
}

async function endConnections({ look }: Stage): Promise<void> {
  await look(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** SIGKILL for a process of PostgreSQL's that serves the product: the server then ends and recovers all of them. */
async function killBackend({ look }: Stage): Promise<void> {
  const [row] = await look<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name like 'smartpause%' limit 1`,
  );
  if (row !== undefined) process.kill(row.pid, 'SIGKILL');
}
