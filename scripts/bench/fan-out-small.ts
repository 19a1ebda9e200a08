import { figuresOf } from './fan-out.ts';
import type { Figure } from './parts/figure.ts';
import { isMet } from './parts/figure.ts';

/**
 * The fan-out with 4,000 ad accounts: a design that does not carry shows in half a minute. The number of calls under way
 * follows the machine. Other processes can only make it slower, so the best of three attempts counts.
 */
const SMALL = { people: 400, accountsEach: 10, campaignsEach: 5 };
const AT_MOST = 1.25;
const ATTEMPTS = 3;

export async function run(): Promise<Figure[]> {
  const options = {
    population: SMALL,
    concurrency: 200,
    isCarriedByMachine: true,
    processes: 1,
    latencyMs: 150,
    tier: 'standard_access',
  } as const;
  for (let attempt = 1; ; attempt += 1) {
    const figures = await figuresOf(options, { atMost: AT_MOST, isBlockLimited: false });
    if (figures.every(isMet) || attempt === ATTEMPTS) return figures;
    process.stdout.write(`  ${figures[0]?.ratio.toFixed(2)}, tried again\n`);
  }
}
