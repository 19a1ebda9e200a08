import { describe, expect, test } from 'vitest';
import { plantCrowd, plantRows, plantTokens } from '../../bench/population.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { KEY_OF_TESTS } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { createTokenCipher } from '../../../src/server/secrets.ts';

const POPULATION = { users: 1, accountsEach: 200, campaignsEach: 1 };
const CONCURRENCY = 2;
/** The passes in progress, and the queue after a claim of fifty. */
const MOST_CLAIMED = 1.5 * CONCURRENCY + 49 + 50;

describe('many ad accounts that are due at once', () => {
  const suite = startSuite({ concurrency: CONCURRENCY });

  test('claims a little ahead and leaves the rest to other processes', async () => {
    const { graph, status } = suite.simulators;
    const { db } = suite.product.app;
    const tokens = await plantCrowd(graph, POPULATION);
    const at = new Date(suite.product.clock.now());
    await plantRows(db, POPULATION, at);
    await plantTokens(db, createTokenCipher([KEY_OF_TESTS]), tokens, at);
    await graph.ask('DELETE', '/requests');
    await graph.post('/latency', { ms: 5 });

    await status.reports('High disruptions');
    const claimed: number[] = [];
    await waitFor('all to be paused', async () => {
      const { count } = await db
        .selectFrom('work_item')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('lease_until', 'is not', null)
        .executeTakeFirstOrThrow();
      claimed.push(Number(count));
      return (await graph.writes()).length === POPULATION.accountsEach;
    });
    expect(Math.max(...claimed)).toBeGreaterThan(0);
    expect(Math.max(...claimed)).toBeLessThanOrEqual(MOST_CLAIMED);
    const { most } = await graph.ask<{ most: number }>('GET', '/requests/tally');
    expect(most).toBeLessThanOrEqual(CONCURRENCY);
  });
});
