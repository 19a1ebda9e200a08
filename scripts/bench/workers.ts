import { fanOut } from './parts/fan-out.ts';
import type { Figure } from './parts/figure.ts';
import { inSeconds } from './parts/figure.ts';

/** The work queue divides. Meta answers so late that two processors are enough for four workers. */
const POPULATION = { users: 200, accountsEach: 10, campaignsEach: 5 };
const CONCURRENCY = 50;
const LATENCY_MS = 750;

export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const processes of [1, 2, 4]) {
    const { tookMs, idealMs, calls } = await fanOut({
      population: POPULATION,
      concurrency: CONCURRENCY,
      processes,
      latencyMs: LATENCY_MS,
      tier: 'standard_access',
    });
    figures.push({
      what: `2,000 ad accounts, ${processes} ${processes === 1 ? 'worker' : 'workers'} with ${CONCURRENCY} calls at a time`,
      measured: inSeconds(tookMs),
      yardstick: `ideal ${inSeconds(idealMs)}: 4,000 calls of 750 ms (made: ${calls.toLocaleString('en')})`,
      ratio: tookMs / idealMs,
      limit: { atMost: 1.2 },
    });
  }
  return figures;
}
