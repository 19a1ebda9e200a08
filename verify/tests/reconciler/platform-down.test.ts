import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/outside/wait-for.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { changesOf } from '../../../test/support/product.ts';

/** Enough time for many probes. */
const DOWN_MS = 6_000;

describe('while the platform is down', () => {
  const suite = engineSuite();
  const { advertiser, become, report, holdsOf } = suite;

  const asked = async (accountIds: readonly string[]) =>
    (await suite.simulators.graph.requests()).filter(
      ({ path, method }) => method === 'POST' || accountIds.some((id) => path.includes(id)),
    );

  test('sends only probes, and completes all work as soon as the platform responds', async () => {
    const crowd = [];
    for (let more = 0; more < 8; more += 1) crowd.push(await advertiser({ campaigns: ['ACTIVE', 'ACTIVE'] }));
    const accountIds = crowd.map(({ accountId }) => accountId);
    await suite.simulators.graph.fault({ kind: 'reset', times: 0 });
    await suite.simulators.graph.ask('DELETE', '/requests');
    await report('High disruptions', 'HIGH_DISRUPTION');
    const since = Date.now();
    await waitFor('the platform to be down for a while', () => Date.now() - since > DOWN_MS);
    // Each account calls first, some once or twice more before the breaker opens; then only probes are sent.
    expect((await asked(accountIds)).length).toBeLessThan(crowd.length * 2 + 8);
    await suite.simulators.graph.ask('DELETE', '/faults');
    for (const who of crowd) await become(who, ['PAUSED', 'PAUSED']);
    await report('Resolved', 'UP');
    for (const who of crowd) {
      await become(who, ['ACTIVE', 'ACTIVE']);
      expect(await changesOf(suite.simulators, who.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
    }
  });

  test('holds stay, confirmed or not, and are resumed when the platform responds', async () => {
    const [a, b] = [await advertiser({ campaigns: ['ACTIVE'] }), await advertiser({ campaigns: ['ACTIVE'] })];
    await report('High disruptions', 'HIGH_DISRUPTION');
    for (const who of [a, b]) await become(who, ['PAUSED']);
    await suite.simulators.graph.fault({ kind: 'html', http: 503, times: 0 });
    await report('Resolved', 'UP');
    const since = Date.now();
    await waitFor('the platform to be down for a while', () => Date.now() - since > DOWN_MS);
    for (const who of [a, b]) expect((await holdsOf(who.accountId))[0]?.state).not.toBe('ended');
    await suite.simulators.graph.ask('DELETE', '/faults');
    for (const who of [a, b]) await become(who, ['ACTIVE']);
  });

  test('one account without a response does not affect others', async () => {
    const [broken, well] = [
      await advertiser({ campaigns: ['ACTIVE'] }),
      await advertiser({ campaigns: ['ACTIVE'] }),
    ];
    await suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: broken.userId } });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(well, ['PAUSED']);
    await waitFor(
      'it to have failed often',
      async () => (await suite.workItemOf(broken.accountId)).failures >= 4,
    );
    await report('Resolved', 'UP');
    await become(well, ['ACTIVE']);
    await suite.simulators.graph.ask('DELETE', '/faults');
  });
});
