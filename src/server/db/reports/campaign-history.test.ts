import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { saveCampaigns, saveWrittenStatus } from '../campaigns.ts';
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
