import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../test/engine-suite.ts';
import type { Advertiser } from '../../../test/product.ts';
import { waitFor } from '../../../scripts/outside/wait-for.ts';

/** What was sent and not answered may be carried out up to a minute later; somebody has to look then. */
describe('a resume that may still be carried out', () => {
  const suite = engineSuite('postgresql');
  const { report, known, advertiser, become, holdsOf, laneOf, settled } = suite;

  async function lose(who: Advertiser, kind: 'null_entry' | 'null_entry_applied'): Promise<void> {
    const match = { user: who.userId, method: 'POST', op: 'inner' };
    await suite.simulators.graph.fault({ kind, times: kind === 'null_entry' ? 0 : 1, match });
  }

  const last = async (who: Advertiser) => (await holdsOf(who.accountId)).at(-1);

  test('[ENG-13] is looked for when that is over, also after the pause was written again', async () => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    await lose(who, 'null_entry');
    await suite.simulators.status.reports('Resolved');
    await waitFor('a resume to be lost', async () => {
      const hold = await last(who);
      return hold?.state === 'resuming' && hold.in_doubt;
    });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await waitFor('the pause to be written', async () => (await last(who))?.state === 'pausing');
    await suite.simulators.graph.ask('DELETE', '/faults');
    await settled(who);
    const until = (await last(who))?.late_resume_until?.getTime() ?? 0;
    expect(until).toBeGreaterThan(suite.product.clock.now());
    expect((await laneOf(who.accountId)).next_due_at?.getTime()).toBeLessThanOrEqual(until);
  });

  test.each([
    ['is known to the next hold', 'null_entry_applied', true],
    ['is none if it was answered', null, false],
  ] as const)('%s', async (_title, fault, isKnown) => {
    const who = await advertiser({ campaigns: ['ACTIVE'] });
    await report('High disruptions', 'HIGH_DISRUPTION');
    await become(who, ['PAUSED']);
    await settled(who);
    if (fault !== null) await lose(who, fault);
    await suite.simulators.status.reports('Resolved');
    await become(who, ['ACTIVE']);
    await waitFor('the hold to end', async () => (await last(who))?.state === 'ended');
    await suite.simulators.status.reports('High disruptions');
    await become(who, ['PAUSED']);
    await known('HIGH_DISRUPTION');
    expect(await holdsOf(who.accountId)).toHaveLength(2);
    expect((await last(who))?.late_resume_until !== null).toBe(isKnown);
  });
});
