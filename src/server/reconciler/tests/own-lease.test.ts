import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { QUICK } from '../../../../test/support/product.ts';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';

/** A machine that slept, or a clock that was set: others may take the lane over, but nobody waits for them. */
describe('a clock that jumps past a lease', () => {
  const suite = engineSuite();

  test('makes nobody begin again what they are still at', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    const reading = await suite.simulators.graph.fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('High disruptions');
    await waitFor('the engine to read', async () => (await suite.simulators.graph.parked(reading)) === 1);
    const { db } = suite.product.app;
    const lane = () =>
      db.selectFrom('lane').selectAll().where('lease_until', 'is not', null).executeTakeFirstOrThrow();
    const { lease_no } = await lane();
    for (let jump = 0; jump < 5; jump += 1) {
      suite.product.clock.advance(2 * QUICK.leaseMs);
      await waitFor('the lease to be renewed', async () => {
        const { lease_until } = await lane();
        return lease_until !== null && lease_until.getTime() > suite.product.clock.now();
      });
      expect((await lane()).lease_no).toBe(lease_no);
    }
    await suite.simulators.graph.post(`/faults/${reading}/release`);
    await suite.become(who, ['PAUSED']);
  });
});
