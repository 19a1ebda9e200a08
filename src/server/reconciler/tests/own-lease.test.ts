import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { QUICK } from '../../../../test/support/product.ts';

/** After a suspend or a clock change, another process may take over the lease; else its owner keeps it. */
describe('a clock that jumps past a lease', () => {
  const suite = engineSuite({ isStepped: false });

  test('the lease is renewed and the pass in progress continues', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    const reading = await suite.simulators.graph.fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('High disruptions');
    await suite.amid('the engine to read', async () => (await suite.simulators.graph.parked(reading)) === 1);
    const { db } = suite.product.app;
    const workItem = () =>
      db.selectFrom('work_item').selectAll().where('lease_until', 'is not', null).executeTakeFirstOrThrow();
    const { fencing_token } = await workItem();
    for (let jump = 0; jump < 5; jump += 1) {
      suite.product.clock.advance(2 * QUICK.leaseMs);
      await suite.until('the lease to be renewed', async () => {
        const { lease_until } = await workItem();
        return lease_until !== null && lease_until.getTime() > suite.product.clock.now();
      });
      expect((await workItem()).fencing_token).toBe(fencing_token);
    }
    await suite.simulators.graph.post(`/faults/${reading}/release`);
    await suite.become(who, ['PAUSED']);
  });
});
