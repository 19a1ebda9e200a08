import { afterEach, describe, expect, test } from 'vitest';
import type { UserStatus } from '../../../contract/shapes.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { changesOf, statusesOf } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';

describe('while Meta does not answer for one ad account', () => {
  const suite = startSuite({ isStepped: true });
  afterEach(() => suite.simulators.graph.ask('DELETE', '/faults'));

  /** Time passes while the product works. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10_000) {
      await suite.advance(10_000);
      await suite.turn();
    }
  }

  const fail = (who: Advertiser) =>
    suite.simulators.graph.fault({ kind: 'reset', times: 0, match: { user: who.userId } });
  const statuses = (who: Advertiser) => statusesOf(suite.simulators, who.campaignIds);
  const notYetPaused = async ({ user }: Advertiser) =>
    (await user.get<{ status: UserStatus }>('/api/user/status')).status.notYetPaused;
  const listOf = ({ user, accountId }: Advertiser) =>
    user.call<{ lastKnown?: { because: string }; error?: { code: string } }>(
      'GET',
      `/api/campaigns/${accountId}`,
    );

  test('others are paused, its user sees what is not paused yet, and it follows once Meta answers', async () => {
    const [broken, well] = [
      await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE', 'PAUSED'] }),
      await suite.advertiser({ campaigns: ['ACTIVE'] }),
    ];
    await fail(broken);
    await suite.simulators.status.reports('High disruptions');
    await pass(20_000);
    expect(await statuses(well)).toEqual(['PAUSED']);
    expect(await statuses(broken)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
    expect(await notYetPaused(broken)).toEqual({ count: 2, because: 'no_answer' });
    await suite.simulators.graph.ask('DELETE', '/faults');
    await pass(60_000);
    expect(await statuses(broken)).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
    expect(await notYetPaused(broken)).toBeUndefined();

    await fail(broken);
    await suite.simulators.status.reports('Resolved');
    await pass(20_000);
    expect(await statuses(well)).toEqual(['ACTIVE']);
    expect(await statuses(broken)).toEqual(['PAUSED', 'PAUSED', 'PAUSED']);
    await suite.simulators.graph.ask('DELETE', '/faults');
    await pass(60_000);
    expect(await statuses(broken)).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED']);
    expect(await changesOf(suite.simulators, broken.campaignIds[0] ?? '')).toEqual(['PAUSED', 'ACTIVE']);
  });

  test('a reached rate limit is the reason, and without a stored list the request fails', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const match = { user: who.userId, path: 'campaigns' };
    await suite.simulators.graph.fault({ kind: 'error', code: 17, times: 0, match });
    await suite.advance(310_000);
    expect((await listOf(who)).body.lastKnown?.because).toBe('limit');
    await suite.product.app.db.deleteFrom('campaignLists').where('accountId', '=', who.accountId).execute();
    for (let n = 0; n < 2; n += 1)
      expect(await listOf(who)).toMatchObject({
        status: 502,
        body: { error: { code: 'PLATFORM_UNAVAILABLE' } },
      });
  });
});
