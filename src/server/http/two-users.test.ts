import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import { CHANGEABLE } from '../../../test/support/changeable.ts';
import { dumpOf } from '../../../test/support/database.ts';
import type { Advertiser } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';

interface Ids {
  adAccountId: string;
  campaignId: string;
}

/** Every call of the contract that takes the id of something that a user owns. */
const WITH_ID: Partial<Record<ApiName, (own: Ids, other: Ids) => { path: string; body?: object }[]>> = {
  campaigns: (_own, other) => [{ path: `/api/campaigns/${other.adAccountId}` }],
  pauseCampaign: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/pause` }],
  startLiveTest: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/live-test` }],
  resumeCampaign: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/resume` }],
  setSmartPause: (own, other) =>
    [true, false].flatMap((enabled) => [
      { path: `/api/smartpause/${other.adAccountId}/${other.campaignId}`, body: { enabled } },
      { path: `/api/smartpause/${own.adAccountId}/${other.campaignId}`, body: { enabled } },
      { path: `/api/smartpause/${other.adAccountId}/${own.campaignId}`, body: { enabled } },
    ]),
  campaignHistory: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/history` }],
  outages: (_own, other) => [{ path: `/api/outages?adAccountId=${other.adAccountId}` }],
  outage: (_own, other) => [{ path: `/api/outages/1?adAccountId=${other.adAccountId}` }],
};
/** Their parameter is not owned by a user: a public code, the name of an action. */
const NO_OWNER: ApiName[] = ['deletionStatus', 'adminAction'];

test('every call with a parameter is listed', () => {
  const takesId = (name: ApiName) => api[name].path.includes('{') || name === 'outages';
  const withParameter = (Object.keys(api) as ApiName[]).filter(takesId);
  expect(withParameter.sort()).toEqual([...(Object.keys(WITH_ID) as ApiName[]), ...NO_OWNER].sort());
});

describe('two users', () => {
  const suite = startSuite();
  let maya: Advertiser;
  let omar: Advertiser;

  beforeAll(async () => {
    maya = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    omar = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
  });

  const idsOf = (who: Advertiser, campaign: number): Ids => ({
    adAccountId: who.accountId,
    campaignId: who.campaignIds[campaign] ?? '',
  });

  const stored = async () => [
    await dumpOf(suite.product.app.db, CHANGEABLE),
    (await suite.simulators.graph.writes()).length,
  ];

  test.each(Object.keys(WITH_ID) as ApiName[])(
    '[API-22] %s with an id of the other user is not found, and changes nothing',
    async (name) => {
      for (const [own, other] of [
        [maya, omar],
        [omar, maya],
      ] as const) {
        for (const campaign of [0, 1]) {
          const calls = WITH_ID[name]?.(idsOf(own, campaign), idsOf(other, campaign)) ?? [];
          for (const { path, body } of calls) {
            const before = await stored();
            const response = await own.user.call(api[name].method, path, body);
            expect([path, response.status]).toEqual([path, 404]);
            expect(JSON.stringify(response.body)).not.toContain('Campaign');
            expect(await stored()).toEqual(before);
          }
        }
      }
      expect((await omar.user.call('GET', '/api/me')).status).toBe(200);
      expect((await maya.user.call('GET', '/api/me')).status).toBe(200);
    },
  );

  test('[API-22] responses to one user contain nothing of the other', async () => {
    const secret = [omar.accountId, ...omar.campaignIds, omar.email, omar.userId];
    for (const [name, endpoint] of Object.entries(api)) {
      if (endpoint.method !== 'GET' || endpoint.path.includes('{') || endpoint.access !== 'user') continue;
      const response = await maya.user.call('GET', endpoint.path);
      expect([name, response.status]).toEqual([name, 200]);
      for (const word of secret) expect(JSON.stringify(response.body)).not.toContain(word);
    }
  });
});
