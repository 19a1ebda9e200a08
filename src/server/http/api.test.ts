import { beforeAll, describe, expect, test } from 'vitest';
import type { Advertiser } from '../../../test/support/product.ts';
import { statusesOf } from '../../../test/support/product.ts';
import { startSuite } from '../../../test/support/suite.ts';
import { signIn } from '../../../scripts/simulator-clients/user.ts';

interface Refused {
  error: { code: string; message: string; id?: string };
}

const SETTINGS = { resumeSettings: { mode: 'instant' }, outageThreshold: 'HIGH', email: 'a@example.com' };

describe('the API', () => {
  const suite = startSuite();
  let who: Advertiser;

  beforeAll(async () => {
    who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 1 });
    await suite.known('UP');
  });

  test('[AUTH-07, API-01, API-03, API-04, API-09, API-10] a user reads their profile, ad accounts and campaigns', async () => {
    const { user, accountId, campaignIds } = who;
    expect((await user.get<{ user: object }>('/api/me')).user).toEqual({
      name: 'Some Body',
      isInitialized: true,
      access: 'ok',
      leaving: null,
      roles: [],
      capabilities: [
        'account_day',
        'activity',
        'activity_log',
        'campaign_changes',
        'destinations',
        'early_warning',
        'evidence',
        'pause_all',
        'read_campaign',
        'replay',
        'sessions',
        'test_run',
      ],
    });
    expect(await user.get('/api/status')).toEqual({
      success: true,
      status: 'UP',
      message: 'Ads Delivery: No known issues',
      quote: 'No known issues',
      checkedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    expect(await user.get('/api/stripe/subscription')).toMatchObject({
      subscription: { renews: expect.any(Boolean) as boolean },
      isTrialAvailable: expect.any(Boolean) as boolean,
      hasPortal: expect.any(Boolean) as boolean,
    });
    expect(await user.get('/api/user/status')).toEqual({
      status: {
        ...{ onForNewCampaigns: false, monthlySummary: true },
        ...{ earlyWarning: 'official', earlyWarningsAct: false },
        resumeSettings: { mode: 'instant' },
        outageThreshold: 'MEDIUM',
        email: who.email,
        resumeAt: null,
        hasChosenCampaigns: true,
        heldCampaigns: 0,
        heldAccounts: [],
        coverage: [
          expect.objectContaining({
            id: accountId,
            protected: { count: 1, budget: 1000, unknownBudgets: 0 },
          }),
        ],
      },
    });
    expect(await user.get('/api/ad-accounts')).toEqual({
      adAccounts: [{ id: accountId, name: 'An account', currency: 'USD', protectedCampaigns: 1 }],
    });
    const { campaigns } = await user.get<{ campaigns: unknown[] }>(`/api/campaigns/${accountId}`);
    expect(campaigns).toEqual([
      {
        id: campaignIds[0],
        name: 'Campaign 0',
        status: 'ACTIVE',
        objective: 'OUTCOME_SALES',
        smartPauseSetting: 'ON',
        dailyBudget: 1000,
        held: false,
      },
      {
        id: campaignIds[1],
        name: 'Campaign 1',
        status: 'PAUSED',
        objective: 'OUTCOME_SALES',
        smartPauseSetting: 'OFF',
        dailyBudget: 1001,
        held: false,
      },
    ]);
  });

  test('every response has the date of the server’s own clock', async () => {
    await suite.advance(60 * 60_000);
    for (const url of ['/api/status', '/api/nothing']) {
      const { headers } = await suite.product.app.http.inject({ url });
      const differenceMs = Date.parse(String(headers.date)) - suite.product.clock.now();
      expect(Math.abs(differenceMs)).toBeLessThan(60_000);
    }
  });

  test('[API-05] settings are saved as sent, and the history names what was changed', async () => {
    const { user, userId, campaignIds } = await suite.advertiser({ campaigns: ['ACTIVE'] });
    const other = await suite.advertiser({ campaigns: [] });
    const othersStatus = await other.user.get('/api/user/status');
    const settings = {
      resumeSettings: { mode: 'next-day' },
      outageThreshold: 'LOW',
      email: 'new@example.com',
    };
    const switches = { onForNewCampaigns: true, monthlySummary: false };
    await user.post('/api/user/settings', { ...settings, ...switches });
    expect((await user.get<{ status: object }>('/api/user/status')).status).toMatchObject({
      ...settings,
      resumeSettings: { mode: 'next_day' },
    });
    await user.post('/api/user/settings', { ...settings, resumeSettings: { mode: 'delay' } });
    const again = await signIn(suite.product.url, userId);
    expect((await again.get<{ status: object }>('/api/user/status')).status).toMatchObject({
      ...settings,
      resumeSettings: { mode: 'delay', delay: { value: 5, unit: 'minutes' } },
      ...switches,
    });
    expect(await other.user.get('/api/user/status')).toEqual(othersStatus);
    const { entries } = await user.get<{ entries: { message: string }[] }>(
      `/api/campaigns/${campaignIds[0] ?? ''}/history`,
    );
    expect(entries[0]?.message).toBe(
      'SmartPause settings were changed: resume 5 minutes later (was at the next 12:01 AM EST).',
    );
  });

  test('[API-11, API-12] manual pause and resume reach Meta; no resume while SmartPause is on', async () => {
    const { user, campaignIds } = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const [id = ''] = campaignIds;
    const paused = await user.post(`/api/campaigns/${id}/pause`);
    expect(paused).toEqual({ success: true, status: 'PAUSED' });
    expect(await statusesOf(suite.simulators, [id])).toEqual(['PAUSED']);
    const resumed = await user.post(`/api/campaigns/${id}/resume`);
    expect(resumed).toEqual({ success: true, status: 'ACTIVE' });
    expect(await statusesOf(suite.simulators, [id])).toEqual(['ACTIVE']);
    const refused = await who.user.call<Refused>('POST', `/api/campaigns/${who.campaignIds[0] ?? ''}/resume`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SMARTPAUSE_ACTIVE']);
  });

  test('[API-11, API-12, API-13] a legacy Advantage+ campaign is listed, and changes to it are rejected', async () => {
    const { user, accountId, campaignIds } = await suite.advertiser({
      campaigns: ['ACTIVE', 'ACTIVE'],
      promotionTypes: ['AUTOMATED_SHOPPING_ADS', 'GUIDED_CREATION'],
      on: 0,
    });
    const id = campaignIds[0] ?? '';
    for (const [path, body] of [
      [`/api/smartpause/${accountId}/${id}`, { enabled: true }],
      [`/api/campaigns/${id}/pause`],
      [`/api/campaigns/${id}/resume`],
    ] as const) {
      const refused = await user.call<Refused>('POST', path, body);
      expect([refused.status, refused.body.error], path).toEqual([
        409,
        {
          code: 'LEGACY_CAMPAIGN',
          message: 'Meta no longer allows changes to this campaign type through its API.',
        },
      ]);
    }
    expect((await user.call('POST', `/api/smartpause/${accountId}/${id}`, { enabled: false })).status).toBe(
      200,
    );
    const listed = await user.get<{ campaigns: object[] }>(`/api/campaigns/${accountId}`);
    expect(listed.campaigns[0]).toMatchObject({ name: 'Campaign 0', isLegacyAdvantage: true });
    expect(listed.campaigns[1]).toMatchObject({ name: 'Campaign 1' });
    expect(listed.campaigns[1]).not.toHaveProperty('isLegacyAdvantage');
  });

  test('[API-07] deauthorize resumes held campaigns, revokes the permission and ends the session', async () => {
    const leaver = await suite.advertiser({ campaigns: ['ACTIVE'], resume: { mode: 'next_day' } });
    await suite.simulators.status.reports('High disruptions');
    await suite.become(leaver, ['PAUSED']);
    await leaver.user.post('/api/account/deauthorize');
    expect(await statusesOf(suite.simulators, leaver.campaignIds)).toEqual(['ACTIVE']);
    expect((await leaver.user.call('GET', '/api/me')).status).toBe(401);
    const row = await suite.rowOf(leaver);
    const tokens = await suite.product.app.db
      .selectFrom('platformTokens')
      .select('userId')
      .where('userId', '=', row?.id ?? '')
      .execute();
    expect(tokens).toEqual([]);
    await suite.simulators.status.reports('Resolved');
  });

  test('[API-08, SET-11] delete removes all data of the user, and a second trial is not granted', async () => {
    const leaver = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await leaver.user.post('/api/account/delete');
    expect(await suite.rowOf(leaver)).toBeUndefined();
    expect((await leaver.user.call('GET', '/api/me')).status).toBe(401);
    const again = await signIn(suite.product.url, leaver.userId);
    const refused = await again.call<Refused>('POST', '/api/user/initialize', SETTINGS);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'SUBSCRIPTION_REQUIRED']);
  });
});
