import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { ApiName } from '#contract/api.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { startSuite } from '../../../../test/support/suite.ts';

interface Ids {
  adAccountId: string;
  campaignId: string;
  sessionId: string;
}

/** Every call of the contract that takes an id of something that belongs to somebody. */
const WITH_ID: Partial<Record<ApiName, (own: Ids, other: Ids) => { path: string; body?: object }[]>> = {
  campaigns: (_own, other) => [{ path: `/api/campaigns/${other.adAccountId}` }],
  pauseCampaign: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/pause` }],
  resumeCampaign: (_own, other) => [{ path: `/api/campaigns/${other.campaignId}/resume` }],
  setSmartPause: (own, other) =>
    [true, false].flatMap((enabled) => [
      { path: `/api/smartpause/${other.adAccountId}/${other.campaignId}`, body: { enabled } },
      { path: `/api/smartpause/${own.adAccountId}/${other.campaignId}`, body: { enabled } },
      { path: `/api/smartpause/${other.adAccountId}/${own.campaignId}`, body: { enabled } },
    ]),
  endSession: (_own, other) => [{ path: `/api/sessions/${other.sessionId}/end` }],
};
/** Their parameter is no id of anybody's: a public code, and the name of an action. */
const NO_OWNER: ApiName[] = ['deletionStatus', 'adminAction'];

test('every call with a parameter is accounted for', () => {
  const withParameter = (Object.keys(api) as ApiName[]).filter((name) => api[name].path.includes('{'));
  expect(withParameter.sort()).toEqual([...(Object.keys(WITH_ID) as ApiName[]), ...NO_OWNER].sort());
});

describe('two people', () => {
  const suite = startSuite();
  let maya: Advertiser;
  let omar: Advertiser;

  beforeAll(async () => {
    maya = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    omar = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
  });

  async function idsOf(who: Advertiser, campaign: number): Promise<Ids> {
    const { sessions } = await who.person.get<{ sessions: { id: string }[] }>('/api/sessions');
    return {
      adAccountId: who.accountId,
      campaignId: who.campaignIds[campaign] ?? '',
      sessionId: sessions[0]?.id ?? '',
    };
  }

  /** Everything stored that an act could change. */
  async function fingerprint(): Promise<string> {
    const tables = [
      'person',
      'smart_pause',
      'hold',
      'subscription',
      'activity',
      'ad_account',
      'platform_token',
    ];
    const parts = await Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<{ hash: string | null }>`
          select md5(string_agg(t::text, '|' order by t::text)) as hash from ${sql.table(table)} t`.execute(
          suite.product.app.db,
        );
        return `${table} ${rows[0]?.hash ?? ''}`;
      }),
    );
    return parts.join('\n');
  }

  test.each(Object.keys(WITH_ID) as ApiName[])(
    '[API-22] %s with an id of the other is not found, and changes nothing',
    async (name) => {
      for (const [own, other] of [
        [maya, omar],
        [omar, maya],
      ] as const) {
        for (const campaign of [0, 1]) {
          const calls = WITH_ID[name]?.(await idsOf(own, campaign), await idsOf(other, campaign)) ?? [];
          for (const { path, body } of calls) {
            const before = [await fingerprint(), (await suite.simulators.graph.writes()).length];
            const answer = await own.person.call(api[name].method, path, body);
            expect([path, answer.status]).toEqual([path, 404]);
            expect(JSON.stringify(answer.body)).not.toContain('Campaign');
            expect([await fingerprint(), (await suite.simulators.graph.writes()).length]).toEqual(before);
          }
        }
      }
      expect((await omar.person.call('GET', '/api/me')).status).toBe(200);
      expect((await maya.person.call('GET', '/api/me')).status).toBe(200);
    },
  );

  test('[API-22] what one reads holds nothing of the other', async () => {
    const secret = [omar.accountId, ...omar.campaignIds, omar.email, omar.userId];
    for (const [name, endpoint] of Object.entries(api)) {
      if (endpoint.method !== 'GET' || endpoint.path.includes('{') || 'access' in endpoint) continue;
      const answer = await maya.person.call('GET', endpoint.path);
      expect([name, answer.status]).toEqual([name, 200]);
      for (const word of secret) expect(JSON.stringify(answer.body)).not.toContain(word);
    }
  });

  test('[SET-10] the export holds all of one’s own and no secret', async () => {
    const data = await maya.person.get<Record<string, unknown>>('/api/account/export');
    expect(data).toMatchObject({
      person: { metaUserId: maya.userId, email: maya.email, outageThreshold: 'MEDIUM' },
      subscriptions: [{ source: 'stripe', status: 'canceled' }],
      adAccounts: [{ id: maya.accountId }],
      smartPause: [{ campaignId: maya.campaignIds[0], campaign: 'Campaign 0', setting: 'ON' }],
    });
    expect(data['stripeCustomerId']).toMatch(/^cus_/);
    const text = JSON.stringify(data);
    expect(text).toContain('signed up');
    expect(text).not.toContain(maya.person.token);
    expect(text).not.toContain('EAAB');
  });
});
