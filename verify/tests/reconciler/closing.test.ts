import { afterAll, beforeAll, test } from 'vitest';
import type { FreshDatabase } from '../../../test/support/database.ts';
import { freshDatabase, outliving } from '../../../test/support/database.ts';
import { newAdvertiser, startProduct, waitForStatuses } from '../../../test/support/product.ts';
import type { Simulators } from '../../../scripts/outside/simulators.ts';
import { SIMULATORS, startSimulators } from '../../../scripts/outside/simulators.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';

let simulators: Simulators;
let database: FreshDatabase;

beforeAll(async () => {
  simulators = await startSimulators(SIMULATORS, 'free');
  database = await freshDatabase();
});
afterAll(() => simulators.stop());

const NEVER = { leaseMs: 3_600_000, pollMs: 100, sweepMs: 3_600_000 };

test('[ENG-14] a process that stops while Meta hangs releases its ad accounts at once', async () => {
  const ending = await startProduct({ simulators, database: outliving(database), timings: NEVER });
  const who = await newAdvertiser({ product: ending, simulators, campaigns: ['ACTIVE'] });
  const match = { user: who.userId, method: 'POST' };
  const hanging = await simulators.graph.fault({
    kind: 'hang_before',
    times: 1,
    match,
    applyOnRelease: true,
  });
  await simulators.status.reports('High disruptions');
  await waitFor('the pause to hang', async () => (await simulators.graph.parked(hanging)) === 1);
  await ending.close();

  const next = await startProduct({ simulators, database, timings: NEVER });
  await waitForStatuses(simulators, who.campaignIds, ['PAUSED']);
  await next.close();
});
