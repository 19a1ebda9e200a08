import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';
import { statusesOf } from '../../../../test/support/product.ts';
import type { Campaign } from '../../../contract/shapes.ts';

type Settings = Record<string, string>;

describe('[UX-09] SmartPause on for new campaigns', () => {
  const suite = engineSuite();

  const wants = async (
    { user, email }: Pick<Advertiser, 'user' | 'email'>,
    onForNewCampaigns: boolean | null,
  ) => {
    const settings = { resumeSettings: { mode: 'instant' }, outageThreshold: 'MEDIUM', email };
    const body = onForNewCampaigns === null ? settings : { ...settings, onForNewCampaigns };
    return user.post<{ status: { onForNewCampaigns: boolean } }>('/api/user/settings', body);
  };

  /** Creates a campaign in the advertiser's account, as in Ads Manager. */
  async function create(
    { userId, accountId }: Pick<Advertiser, 'userId' | 'accountId'>,
    name: string,
    over: object = {},
  ): Promise<string> {
    const id = String(Math.floor(Math.random() * 1e15) + 1e15);
    const campaign = { id, name, status: 'ACTIVE', daily_budget: '5000', ...over };
    const account = { id: accountId, name: 'An account', currency: 'USD', campaigns: [campaign] };
    const users = [{ id: userId, name: 'Some Body', accounts: [account] }];
    await suite.simulators.graph.post('/seed', { users });
    return id;
  }

  const listOf = async ({ user, accountId }: Pick<Advertiser, 'user' | 'accountId'>): Promise<Settings> => {
    const path = `/api/campaigns/${accountId}`;
    const { campaigns } = await user.get<{ campaigns: Campaign[] }>(path);
    return Object.fromEntries(campaigns.map(({ name, smartPauseSetting }) => [name, smartPauseSetting]));
  };
  /** The list as soon as it contains the campaign. */
  const listWith = (who: Pick<Advertiser, 'user' | 'accountId'>, name: string) => {
    suite.product.clock.advance(31_000);
    return suite.until(`${name} to be listed`, async () => {
      const listed = await listOf(who);
      return listed[name] === undefined ? null : listed;
    });
  };
  const activitiesOf = async ({ userId }: Pick<Advertiser, 'userId'>) => {
    const { rows } = await sql<{ message: string; campaign_id: string | null; account_id: string }>`
      select a.message, a.campaign_id, a.account_id from activity a join app_user u on u.id = a.user_id
      where u.platform_user_id = ${userId} and a.event = 'smartpause_on_new' order by a.id`.execute(
      suite.product.app.db,
    );
    return rows;
  };

  test('is off by default, and only campaigns that are new in a known list get it', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'PAUSED'], on: 0 });
    await create(who, 'Before');
    expect(await listWith(who, 'Before')).toEqual({
      'Campaign 0': 'OFF',
      'Campaign 1': 'OFF',
      Before: 'OFF',
    });
    expect((await wants(who, true)).status.onForNewCampaigns).toBe(true);
    // A request without the field leaves the setting as it is.
    expect((await wants(who, null)).status.onForNewCampaigns).toBe(true);
    const id = await create(who, 'After', { status: 'PAUSED' });
    await create(who, 'Archived', { status: 'ARCHIVED' });
    await create(who, 'Legacy', { smart_promotion_type: 'AUTOMATED_SHOPPING_ADS' });
    expect(await listWith(who, 'Legacy')).toEqual({
      ...{
        'Campaign 0': 'OFF',
        'Campaign 1': 'OFF',
        Before: 'OFF',
        After: 'ON',
        Archived: 'OFF',
        Legacy: 'OFF',
      },
    });
    const message = 'SmartPause was turned on for the new campaign "After".';
    expect(await activitiesOf(who)).toEqual([{ message, campaign_id: id, account_id: who.accountId }]);
    const { priority } = await suite.workItemOf(who.accountId);
    expect(Number(priority)).toBe(5000);

    // The user's own choice stays.
    await who.user.setSmartPause(who.accountId, id, false);
    await create(who, 'Another');
    expect(await listWith(who, 'Another')).toMatchObject({ After: 'OFF', Another: 'ON' });
  });

  test('the first list of an ad account has no new campaigns', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(who, true);
    const { db } = suite.product.app;
    for (const table of ['campaign_list', 'campaign'] as const)
      await db.deleteFrom(table).where('account_id', '=', who.accountId).execute();
    expect(await listOf(who)).toEqual({ 'Campaign 0': 'OFF' });
  });

  test('of two users with the account only the one with the setting gets it', async () => {
    const maya = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    const colleague = { ...(await suite.colleagueOf(maya)), accountId: maya.accountId };
    await wants({ ...colleague, email: 'colleague@example.com' }, true);
    await create(maya, 'Spring');
    await create(maya, 'Summer');
    expect(await listWith(maya, 'Summer')).toMatchObject({ Spring: 'OFF', Summer: 'OFF' });
    expect(await listOf(colleague)).toMatchObject({ 'Campaign 0': 'OFF', Spring: 'ON', Summer: 'ON' });
    expect(await activitiesOf(maya)).toEqual([]);
    const message = 'SmartPause was turned on for 2 new campaigns: "Spring", "Summer".';
    expect(await activitiesOf(colleague)).toMatchObject([{ message, campaign_id: null }]);
  });

  test('needs an active subscription', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(who, true);
    await suite.product.app.db
      .updateTable('subscription')
      .set({ current_period_end: new Date(0) })
      .where('user_id', '=', (await suite.rowOf(who))?.id ?? '')
      .execute();
    await create(who, 'Unpaid');
    expect(await listWith(who, 'Unpaid')).toMatchObject({ Unpaid: 'OFF' });
  });

  test('during a match the reconciler finds a new campaign and pauses it at once', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'] });
    await wants(who, true);
    const id = await create(who, 'New');
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    await suite.become({ campaignIds: [...who.campaignIds, id] }, ['PAUSED', 'PAUSED']);
    await suite.report('Resolved', 'UP');
    await suite.become({ campaignIds: [...who.campaignIds, id] }, ['ACTIVE', 'ACTIVE']);
  });

  test('without an open page the list is read every 15 minutes', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE'], on: 0 });
    await wants(who, true);
    const id = await create(who, 'Unseen');
    await suite.report('High disruptions', 'HIGH_DISRUPTION');
    expect(await statusesOf(suite.simulators, [id])).toEqual(['ACTIVE']);
    suite.product.clock.advance(16 * 60_000);
    await suite.become({ campaignIds: [id] }, ['PAUSED']);
    expect(await activitiesOf(who)).toHaveLength(1);
  });
});
