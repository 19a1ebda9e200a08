import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Figure } from '../../scripts/figures.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startBench } from './bench.ts';
import { accountIdOf, campaignIdOf } from './population.ts';

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
  const tokens = await bench.plant(POPULATION);
  await graph.post('/latency', { ms: LATENCY_MS });
  const bareMs = await callBarely(graph.url, tokens);
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
  const bare = `the same calls without a product: ${inSeconds(bareMs)}`;
  return [
    { what, measured, yardstick: ideal, ratio: tookMs / idealMs, atMost: 1.08 },
    { what, measured, yardstick: bare, ratio: tookMs / bareMs },
    {
      what: 'longest block of the event loop',
      measured: `${longestMs.toFixed(0)} ms`,
      yardstick: `limit ${LONGEST_BLOCK_MS} ms`,
      ratio: longestMs / LONGEST_BLOCK_MS,
      atMost: 1,
    },
  ];
}

/** Makes the same two calls per ad account as the product, without database, decisions and parsing. */
async function callBarely(graphUrl: string, tokens: readonly string[]): Promise<number> {
  const dispatcher = new Agent({ connections: CONCURRENCY });
  const { accountsEach, campaignsEach } = POPULATION;
  const left = Array.from({ length: ACCOUNTS }, (_, account) => account).values();
  const call = async (method: 'GET' | 'POST', path: string, token: string, body: string): Promise<void> => {
    const type = 'application/x-www-form-urlencoded';
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await request(graphUrl + path, { dispatcher, method, headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  };
  const work = async (): Promise<void> => {
    for (const account of left) {
      const token = tokens[Math.floor(account / accountsEach)] ?? '';
      const fields = 'fields=id,name,status,objective,daily_budget&limit=500';
      await call('GET', `/v26.0/${accountIdOf(account)}/campaigns?${fields}`, token, '');
      const batch = Array.from({ length: campaignsEach }, (_, index) => ({
        method: 'POST',
        relative_url: campaignIdOf(account * campaignsEach + index),
        body: 'status=ACTIVE',
      }));
      await call('POST', '/v26.0/', token, new URLSearchParams({ batch: JSON.stringify(batch) }).toString());
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const took = performance.now() - began;
  await dispatcher.close();
  return took;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
