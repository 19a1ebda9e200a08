import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listedAccount, plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { saveAdAccounts } from '../ad-accounts.ts';
import { saveCampaigns, saveSmartPause } from '../campaigns.ts';
import { readCoverage } from './coverage.ts';

const db = useFreshDb();
const NOW = 10_000;

test('[UX-18, UX-19] running campaigns are protected, open or blocked, with their known budgets', async () => {
  const userId = await plantUser(db());
  const value = [
    listedAccount('act_1', { currency: 'EUR' }),
    listedAccount('act_2', { mayPause: false }),
    listedAccount('act_3'),
    listedAccount('act_4', { accountStatus: 3 }),
  ];
  await saveAdAccounts(db(), userId, { value, isPartial: false }, NOW);
  const campaigns = [
    ...[one('on', 5), one('refused', 6), one('by-tool', null), one('off', 7), one('unknown', null)],
    ...[one('deactivated', 8), { ...one('legacy', 9), isLegacyAdvantage: true }],
    ...[
      { ...one('paused', 99), status: 'PAUSED' },
      { ...one('ended', 99), stopTime: 1 },
    ],
  ];
  const list = { isPartial: false, readAt: 1 };
  await saveCampaigns(db(), [
    { ...list, accountId: 'act_1', campaigns },
    { ...list, accountId: 'act_2', campaigns: [one('read-only', 3)] },
    { ...list, accountId: 'act_4', campaigns: [one('no-delivery', 99)] },
  ]);
  const settings = {
    on: 'ON',
    refused: 'ON',
    'by-tool': 'ON',
    'read-only': 'ON',
    deactivated: 'DEACTIVATED',
  } as const;
  for (const [campaignId, setting] of Object.entries(settings)) {
    const accountId = campaignId === 'read-only' ? 'act_2' : 'act_1';
    await saveSmartPause(db(), { userId, setting, campaigns: [{ id: campaignId, accountId }] }, 1000);
  }
  for (const [id, reason] of [
    ['refused', 'pause_refused'],
    ['by-tool', 'resumed_by_schedule'],
  ])
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        ended_at, outcome, release_reason)
      values (${userId}, 'act_1', ${id}, 'ended', 'LOW', 'LOW_DISRUPTION', now(), now(),
        ${new Date(3000)}, 'released', ${reason})`.execute(db());

  const read = (match: { since: number } | null) => readCoverage(db(), userId, { now: NOW, match });
  const none = { count: 0, budget: 0, unknownBudgets: 0 };
  const matched = await read({ since: 2000 });
  expect(matched).toEqual([
    {
      ...{ id: 'act_1', name: 'act_1', currency: 'EUR' },
      protected: { count: 1, budget: 5, unknownBudgets: 0 },
      open: { count: 3, budget: 15, unknownBudgets: 1 },
      blocked: { count: 3, budget: 15, unknownBudgets: 1 },
    },
    {
      ...{ id: 'act_2', name: 'act_2', currency: 'USD', protected: none, open: none },
      blocked: { count: 1, budget: 3, unknownBudgets: 0 },
    },
    {
      id: 'act_3',
      name: 'act_3',
      currency: 'USD',
      isUnread: true,
      protected: none,
      open: none,
      blocked: none,
    },
    { id: 'act_4', name: 'act_4', currency: 'USD', protected: none, open: none, blocked: none },
  ]);
  for (const other of [null, { since: 3001 }])
    expect((await read(other))[0]).toMatchObject({
      protected: { count: 3, budget: 11, unknownBudgets: 1 },
      blocked: { count: 1, budget: 9, unknownBudgets: 0 },
    });
  await sql`update ad_accounts set writes_blocked_until = ${new Date(NOW)} where id = 'act_1'`.execute(db());
  expect((await read(null))[0]).toMatchObject({ protected: none, open: none, blocked: { count: 7 } });
});

function one(id: string, dailyBudget: number | null) {
  return { id, name: id, status: 'ACTIVE', objective: 'X', dailyBudget, isLegacyAdvantage: false };
}
