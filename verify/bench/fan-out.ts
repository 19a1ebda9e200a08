import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../scripts/figures.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startBench } from './bench.ts';

/** Pauses the campaigns of all users at once: 20,000 ad accounts, 100,000 campaigns, two calls each. */
const POPULATION = { users: 2000, accountsEach: 10, campaignsEach: 5 };
const ACCOUNTS = POPULATION.users * POPULATION.accountsEach;
const LATENCY_MS = 150;
/** The reconciler's own limit of concurrent calls. */
const CONCURRENCY = 200;
const LONGEST_BLOCK_MS = 50;
const WAIT_MS = 900_000;

export async function measureFanOut(): Promise<Figure[]> {
  await using bench = await startBench();
  const { graph, status } = bench.simulators;
  await bench.plant(POPULATION);
  await graph.post('/latency', { ms: LATENCY_MS });
  await bench.startWorker(1);
  await waitFor('a read of the status page', async () => (await status.requests()).length > 2);
  await graph.ask('DELETE', '/requests');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const usedBefore = process.cpuUsage();
  await status.reports('High disruptions');
  const allArePaused = async (): Promise<boolean> =>
    (await bench.countPaused()) === ACCOUNTS * POPULATION.campaignsEach || sleep(500, false);
  await waitFor('all campaigns to be paused', allArePaused, WAIT_MS);
  const { user, system } = process.cpuUsage(usedBefore);
  const { firstAt } = await graph.ask<{ firstAt: number }>('GET', '/requests/tally');
  const tookMs = Date.parse((await graph.writes()).at(-1)?.at ?? '') - firstAt;
  const idealMs = (ACCOUNTS * 2 * LATENCY_MS) / CONCURRENCY;
  const longestMs = delay.max / 1e6;
  const what = `${ACCOUNTS} ad accounts`;
  const measured = `${inSeconds(tookMs)}, ${inSeconds((user + system) / 1000)} of processor time`;
  const ideal = `ideal ${inSeconds(idealMs)}`;
  return [
    { what, measured, yardstick: ideal, ratio: tookMs / idealMs, atMost: 1.08 },
    {
      what: 'longest block of the event loop',
      measured: `${longestMs.toFixed(0)} ms`,
      yardstick: `limit ${LONGEST_BLOCK_MS} ms`,
      ratio: longestMs / LONGEST_BLOCK_MS,
      atMost: 1,
    },
  ];
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
