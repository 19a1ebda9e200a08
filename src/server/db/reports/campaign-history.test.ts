import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { saveCampaigns, saveWrittenStatus } from '../campaigns.ts';
import { recordActivities } from '../activities.ts';
import { findCampaignEntries } from './campaign-history.ts';

const db = useFreshDb();

test('[UX-21] a change outside SmartPause is shown until a write of ours is newer, also after that write is dropped', async () => {
  const userId = await plantUser(db());
  const listAt = (readAt: number, status: string) => {
    const campaign = { id: '5', name: '', status, objective: 'X', dailyBudget: 1, isLegacyAdvantage: false };
    return saveCampaigns(db(), [{ accountId: 'act_5', isPartial: false, readAt, campaigns: [campaign] }]);
  };
  await listAt(1000, 'ACTIVE');
  await listAt(2000, 'PAUSED');
  const query = { userId, accountId: 'act_5', campaignId: '5', since: 0, before: null, limit: 10 };
  const shown = { at: 2000, source: 'c', seen: { status: 'PAUSED', isHeld: false } };
  expect(await findCampaignEntries(db(), [], query)).toMatchObject([shown]);
  await saveWrittenStatus(db(), [{ campaignId: '5', confirmed: { status: 'ACTIVE', at: 3000 } }]);
  const { rows } = await sql`select from campaign_writes`.execute(db());
  expect(rows).toEqual([]);
  expect(await findCampaignEntries(db(), [], query)).toEqual([]);
});

test('[FR-02, HIST-03] a block of all changes is in the history of each protected campaign, also if another one was tried', async () => {
  const userId = await plantUser(db());
  const campaigns = ['1', '2', '3'].map((id) => ({ id, name: id, status: 'ACTIVE', objective: 'X' }));
  const listed = campaigns.map((one) => ({ ...one, dailyBudget: 1, isLegacyAdvantage: false }));
  await saveCampaigns(db(), [{ accountId: 'act_6', isPartial: false, readAt: 1000, campaigns: listed }]);
  const about = { userId, campaignId: '2', accountId: 'act_6', changedAt: new Date(1000) };
  await db()
    .insertInto('smartpauseSettings')
    .values({ ...about, setting: 'ON' })
    .execute();
  const blocked = { event: 'account_blocked', facts: { refusal: 'Confirm your identity' } } as const;
  const campaign = { id: '1', name: '1' };
  await recordActivities(db(), [{ ...blocked, userId, accountId: 'act_6', actor: 'meta', campaign }], 2000);
  const detailsOf = async (campaignId: string) => {
    const query = { userId, accountId: 'act_6', campaignId, since: 0, before: null, limit: 10 };
    return (await findCampaignEntries(db(), [], query)).map(({ activity }) => activity?.detail);
  };
  expect(await Promise.all(['1', '2', '3'].map(detailsOf))).toEqual([
    ['Confirm your identity'],
    ['Confirm your identity'],
    [],
  ]);
});
