import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/outside/wait-for.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import { changesOf } from '../../../../test/support/product.ts';

describe('a status page that fails on every other read', () => {
  const suite = engineSuite();
  const { advertiser, become, known, report, settled } = suite;

  const readings = async () => (await suite.simulators.status.requests()).length;

  async function flaps(times: number): Promise<void> {
    for (let n = 0; n < times; n += 1) {
      const fault = await suite.simulators.status.fault({
        kind: n % 2 === 0 ? 'html' : 'truncated',
        times: 0,
      });
      await known('UNKNOWN');
      await suite.simulators.status.ask('DELETE', `/faults/${fault}`);
      const before = await readings();
      await waitFor('it to be read again', async () => (await readings()) > before + 2);
    }
  }

  test('pauses and resumes nothing during an outage', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED', 'PAUSED']);
    await settled(who);
    await flaps(3);
    await known('HIGH_DISRUPTION');
    for (const id of who.campaignIds) expect(await changesOf(suite.simulators, id)).toEqual(['PAUSED']);
    await report('Resolved', 'UP');
    await become(who, ['ACTIVE', 'ACTIVE']);
  });

  test('pauses nothing without an outage', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await flaps(3);
    await known('UP');
    expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual([]);
  });
});
