import { figuresOf } from './fan-out.ts';
import type { Figure } from './parts/figure.ts';

/**
 * The fan-out in small, for every test run: it would show a design that does not carry, not a few per cent, nor what a machine
 * does meanwhile that others use as well.
 */
const SMALL = { people: 400, accountsEach: 10, campaignsEach: 5 };
const AT_MOST = 1.25;

export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const database of ['postgresql', 'pglite'] as const) {
    const options = {
      database,
      population: SMALL,
      concurrency: 200,
      processes: 1,
      latencyMs: 150,
      tier: 'standard_access',
    } as const;
    figures.push(...(await figuresOf(options, { atMost: AT_MOST, isBlockLimited: false })));
  }
  return figures;
}
