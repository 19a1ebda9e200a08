import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotUnderstood, readArguments } from '../../scripts/arguments.ts';
import { type Figure, printFigures } from '../../scripts/figures.ts';
import { waitFor } from '../../scripts/outside/wait-for.ts';
import { startBench } from './bench.ts';

const LATENCY_MS = 150;
const BENCHMARKS: Record<string, () => Promise<Figure[]>> = {
  reaction: measureReaction,
  'fan-out': measureFanOut,
};
const known = Object.keys(BENCHMARKS);
const usage = `npm run bench -- [${known.join(' | ')}]

Runs all of them, or those named, each beside its yardstick. Ends with 1 when a limit is exceeded.`;
const wanted = readArguments({ usage, takesWords: true }, ({ words }) => {
  const unknown = words.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NotUnderstood(`There is no benchmark ${unknown.join(', ')}.`);
  return words.length === 0 ? known : words;
});
for (const name of wanted) {
  console.log(name);
  if (!printFigures((await BENCHMARKS[name]?.()) ?? [])) process.exitCode = 1;
}

/** The time from a change of the status page until the last of 50 campaigns of one account is paused. */
async function measureReaction(): Promise<Figure[]> {
  const [campaigns, repetitions] = [50, 10];
  /** The default of production. */
  const pollMs = 10_000;
  await using bench = await startBench({ users: 1, accountsEach: 1, campaignsEach: campaigns }, LATENCY_MS);
  const { graph, status } = bench.simulators;
  await bench.startWorker(pollMs / 1000);
  const becomes = (paused: number): Promise<true> =>
    waitFor(`${paused} paused campaigns`, async () => (await bench.countPaused()) === paused, pollMs * 6);
  const took: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    // Spreads the changes over the interval between two polls.
    await sleep((pollMs * repetition) / repetitions);
    const changedAt = Date.now();
    await status.reports('High disruptions');
    await becomes(campaigns);
    took.push(Date.parse((await graph.writes()).at(-1)?.at ?? '') - changedAt);
    await status.reports('Resolved');
    await becomes(0);
  }
  const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const idealMs = pollMs / 2 + 2 * LATENCY_MS;
  const what = `status page to the last of ${campaigns} campaigns paused, mean of ${repetitions}`;
  const measured = `${mean.toFixed(0)} ms (longest ${Math.max(...took)} ms)`;
  const yardstick = `half the poll and two calls: ${idealMs} ms`;
  // By chance the changes may come a little early or late between two polls.
  return [{ what, measured, yardstick, ratio: mean / idealMs, atMost: 1.1 }];
}

/** Pauses the campaigns of all users at once: 20,000 ad accounts, 100,000 campaigns, two calls each. */
async function measureFanOut(): Promise<Figure[]> {
  const [users, accountsEach, campaignsEach] = [2000, 10, 5];
  const accounts = users * accountsEach;
  const longestBlockMs = 50;
  await using bench = await startBench({ users, accountsEach, campaignsEach }, LATENCY_MS);
  const { graph, status } = bench.simulators;
  await bench.startWorker(1);
  await waitFor('a read of the status page', async () => (await status.requests()).length > 2);
  await graph.ask('DELETE', '/requests');
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const usedBefore = process.cpuUsage();
  await status.reports('High disruptions');
  const allArePaused = async (): Promise<boolean> =>
    (await bench.countPaused()) === accounts * campaignsEach || sleep(500, false);
  await waitFor('all campaigns to be paused', allArePaused, 900_000);
  const { user, system } = process.cpuUsage(usedBefore);
  const { firstAt } = await graph.ask<{ firstAt: number }>('GET', '/requests/tally');
  const tookMs = Date.parse((await graph.writes()).at(-1)?.at ?? '') - firstAt;
  // The reconciler's own limit of concurrent calls.
  const idealMs = (accounts * 2 * LATENCY_MS) / 200;
  const longestMs = delay.max / 1e6;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const measured = `${seconds(tookMs)}, ${seconds((user + system) / 1000)} of processor time`;
  const ideal = { yardstick: `ideal ${seconds(idealMs)}`, ratio: tookMs / idealMs, atMost: 1.08 };
  const limit = { yardstick: `limit ${longestBlockMs} ms`, ratio: longestMs / longestBlockMs, atMost: 1 };
  return [
    { what: `${accounts} ad accounts`, measured, ...ideal },
    { what: 'longest block of the event loop', measured: `${longestMs.toFixed(0)} ms`, ...limit },
  ];
}
