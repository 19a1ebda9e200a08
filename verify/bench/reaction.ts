import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../../scripts/figures.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startBench } from './bench.ts';

/** The time from a change of the status page until the last of 50 campaigns of one account is paused. */
const CAMPAIGNS = 50;
const LATENCY_MS = 150;
/** The default of production. */
const POLL_MS = 10_000;
const REPETITIONS = 10;

export async function measureReaction(): Promise<Figure[]> {
  await using bench = await startBench();
  const { graph, status } = bench.simulators;
  await bench.plant({ users: 1, accountsEach: 1, campaignsEach: CAMPAIGNS });
  await graph.post('/latency', { ms: LATENCY_MS });
  await bench.startWorker(POLL_MS / 1000);
  const becomes = (paused: number): Promise<true> =>
    waitFor(`${paused} paused campaigns`, async () => (await bench.countPaused()) === paused, POLL_MS * 6);
  const took: number[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    // Spreads the changes over the interval between two polls.
    await sleep((POLL_MS * repetition) / REPETITIONS);
    const changedAt = Date.now();
    await status.reports('High disruptions');
    await becomes(CAMPAIGNS);
    took.push(Date.parse((await graph.writes()).at(-1)?.at ?? '') - changedAt);
    await status.reports('Resolved');
    await becomes(0);
  }
  const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const yardstick = POLL_MS / 2 + 2 * LATENCY_MS;
  return [
    {
      what: `status page to the last of ${CAMPAIGNS} campaigns paused, mean of ${REPETITIONS}`,
      measured: `${mean.toFixed(0)} ms (longest ${Math.max(...took)} ms)`,
      yardstick: `half the poll and two calls: ${yardstick} ms`,
      ratio: mean / yardstick,
      // By chance the changes may come a little early or late between two polls.
      atMost: 1.1,
    },
  ];
}
