import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useFreshDb } from '../../../test/support/database.ts';
import { listAdAccounts, listCampaigns, saveAdAccounts, saveCampaigns, saveSmartPause } from './campaigns.ts';
import { readNotPaused } from './reports/not-paused.ts';

describe('ad accounts', () => {
  const db = useFreshDb();

  test('of somebody who was deleted while Meta was asked are not kept', async () => {
    const account = { id: 'act_1', name: 'An account', currency: 'USD', accountStatus: 1 };
    await saveAdAccounts(db(), '404', [account], 0);
    expect(await listAdAccounts(db(), '404')).toEqual([]);
  });
});

describe('a campaign that turns out to be a legacy Advantage+ campaign', () => {
  const db = useFreshDb();

  test('[DASH-11] is shown as off and not waited for, unless it is held', async () => {
    const { rows } = await sql<{ id: string }>`
      insert into person (platform_user_id, name, resume_settings, logged_in_at, created_at)
      values ('1', 'Maya Chen', '{"mode": "instant"}', now(), now()) returning id`.execute(db());
    const personId = rows[0]?.id ?? '';
    const account = { id: 'act_1', name: 'An account', currency: 'USD', accountStatus: 1 };
    await saveAdAccounts(db(), personId, [account], 0);
    const campaign = { id: '7', name: 'Catalog', status: 'ACTIVE', objective: 'X', dailyBudget: null };
    const isListedAs = async (isLegacyAdvantage: boolean, readAt: number, status = 'ACTIVE') => {
      const campaigns = [{ ...campaign, status, isLegacyAdvantage }];
      await saveCampaigns(db(), [{ accountId: 'act_1', campaigns, readAt }]);
    };
    const shown = async () => {
      const [first] = await listCampaigns(db(), personId, 'act_1');
      const { count } = await readNotPaused(db(), personId, 0);
      return [first?.smartPauseSetting, first?.held, count];
    };
    await isListedAs(false, 1);
    const ids = { personId, campaignId: '7', accountId: 'act_1' };
    await saveSmartPause(db(), { ...ids, setting: 'ON' }, 1);
    expect(await shown()).toEqual(['ON', false, 1]);
    await isListedAs(true, 2);
    expect(await shown()).toEqual(['OFF', false, 0]);
    await sql`insert into hold (person_id, account_id, campaign_id, state, created_at)
      values (${personId}, 'act_1', '7', 'paused', now())`.execute(db());
    await isListedAs(true, 3, 'PAUSED');
    expect(await shown()).toEqual(['ON', true, 0]);
  });
});

describe('archived campaigns', () => {
  const db = useFreshDb();
  const accountId = 'act_1';

  const campaign = (id: string, status: string) => ({
    id,
    name: id,
    status,
    objective: '',
    dailyBudget: null,
    isLegacyAdvantage: false,
  });
  const listed = async () => (await listCampaigns(db(), '1', accountId)).map(({ id }) => id).toSorted();

  test('[DASH-08] a list without archived campaigns removes none of them; a list with them does', async () => {
    const [running, archived] = [campaign('running', 'ACTIVE'), campaign('archived', 'ARCHIVED')];
    const both = { accountId, campaigns: [running, archived], readAt: 1000, withArchived: true };
    await saveCampaigns(db(), [both]);
    await saveCampaigns(db(), [{ accountId, campaigns: [running], readAt: 2000 }]);
    expect(await listed()).toEqual(['archived', 'running']);
    await saveCampaigns(db(), [{ accountId, campaigns: [], readAt: 3000 }]);
    expect(await listed()).toEqual(['archived']);
    await saveCampaigns(db(), [{ ...both, campaigns: [running], readAt: 4000 }]);
    expect(await listed()).toEqual(['running']);
  });
});
