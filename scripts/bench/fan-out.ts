import { availableParallelism } from 'node:os';
import { fanOut } from './parts/fan-out.ts';
import type { FanOut } from './parts/fan-out.ts';
import type { Figure } from './parts/figure.ts';
import { inMs, inSeconds } from './parts/figure.ts';

/** Pauses the campaigns of all users at once: 20,000 ad accounts, 100,000 campaigns, two calls each. */
const LARGE = { users: 2000, accountsEach: 10, campaignsEach: 5 };
const LATENCY_MS = 150;
const LONGEST_BLOCK_MS = 50;

const RUNS: (Pick<FanOut, 'concurrency' | 'processes'> & { atMost: number | null })[] = [
  { concurrency: 200, processes: 1, atMost: 1.08 },
  { concurrency: 200, processes: 2, atMost: null },
];

export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { atMost, ...one } of RUNS) {
    const options: FanOut = { ...one, population: LARGE, latencyMs: LATENCY_MS };
    figures.push(...(await figuresOf(options, atMost)));
  }
  return figures;
}

async function figuresOf(options: FanOut, atMost: number | null): Promise<Figure[]> {
  const { concurrency, processes, population } = options;
  const accounts = population.users * population.accountsEach;
  const result = await fanOut(options);
  const where = `${processes === 1 ? '' : `${processes} processes of `}concurrency ${concurrency}`;
  const what = `fan-out of ${accounts.toLocaleString('en')} ad accounts, ${where}`;
  const measured = inSeconds(result.tookMs);
  const platform = (result.platform.cpuMs / result.platform.wallMs) * 100;
  const bareShare = (result.platformWhenBare.cpuMs / result.platformWhenBare.wallMs) * 100;
  const longest = Math.max(...result.products.map(({ longestBlockMs }) => longestBlockMs));
  const longestWork = Math.max(...result.products.map(({ longestWorkMs }) => longestWorkMs));
  const memory = Math.max(...result.products.map(({ residentMb }) => residentMb));
  const cpu = result.products.reduce((sum, one) => sum + one.cpuMs, 0) / (result.products[0]?.wallMs ?? 1);
  return [
    {
      what,
      measured,
      yardstick: `ideal ${inSeconds(result.idealMs)}: ${(2 * accounts).toLocaleString('en')} calls (made: ${result.calls.toLocaleString('en')}, at most ${result.most} at a time)`,
      ratio: result.tookMs / result.idealMs,
      limit: atMost === null ? null : { atMost },
    },
    {
      what: `${what}: the same calls without a product`,
      measured,
      yardstick: `bare ${inSeconds(result.bareMs)}; the platform used ${platform.toFixed(0)} % of a core (bare: ${bareShare.toFixed(0)} %), the product ${(cpu * 100).toFixed(0)} %, ${memory.toFixed(0)} MB; ${availableParallelism()} cores`,
      ratio: result.tookMs / result.bareMs,
      limit: null,
    },
    {
      what: `${what}: longest time in which the event loop stood still`,
      measured: `${inMs(longest)}; at work itself for ${inMs(longestWork)} at most`,
      yardstick: `limit ${LONGEST_BLOCK_MS} ms`,
      ratio: longest / LONGEST_BLOCK_MS,
      limit: { atMost: 1 },
    },
    {
      what: `${what}: the 1,000 campaigns with the highest budget first`,
      measured: `all of them among the first ${result.highestBudgetDoneAt.toLocaleString('en')} writes`,
      yardstick: `1,000, and those under way at the same time: ${(concurrency * processes * population.campaignsEach).toLocaleString('en')}`,
      ratio: result.highestBudgetDoneAt / (1000 + concurrency * processes * population.campaignsEach),
      limit: processes === 1 ? { atMost: 1 } : null,
    },
  ];
}
