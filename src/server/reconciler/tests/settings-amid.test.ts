import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';

const IN_10_MINUTES = { mode: 'delay', delay: { value: 10, unit: 'minutes' } };

/** A settings change during a pass makes the pass's plan void. */
describe('settings saved during a pass', () => {
  const suite = engineSuite();

  test('a resume postponed just before its write is postponed', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become(who, ['PAUSED']);
    await suite.settled(who);

    const match = { user: who.userId, method: 'GET', path: 'campaigns' };
    const reading = await suite.simulators.graph.fault({ kind: 'hang_before', times: 1, match });
    await suite.simulators.status.reports('Resolved');
    await suite.amid('the engine to read', async () => (await suite.simulators.graph.parked(reading)) === 1);
    const email = `${who.userId}@example.com`;
    const settings = { email, outageThreshold: 'MEDIUM', resumeSettings: IN_10_MINUTES };
    await who.user.post('/api/user/settings', settings);
    await suite.simulators.graph.post(`/faults/${reading}/release`);
    await suite.atRest(who);
    expect(await suite.statuses(who)).toEqual(['PAUSED']);

    suite.product.clock.advance(11 * 60_000);
    await suite.become(who, ['ACTIVE']);
  });
});
