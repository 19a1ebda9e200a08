import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { days } from '../../../core/time.ts';
import { listedAccount, plantUser, useFreshDb } from '../../../../test/support/database.ts';
import { saveAdAccounts } from '../ad-accounts.ts';
import { saveCampaigns, saveSmartPause } from '../campaigns.ts';
import { readCoverage } from './coverage.ts';

const db = useFreshDb();
const NOW = 10_000;

test('[UX-18, UX-19] running campaigns by what an outage would do or has done, with their known budgets', async () => {
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
    ...[
      one('resumed', 20),
      one('checked', 30),
      one('deactivated', 8),
      { ...one('legacy', 9), isLegacyAdvantage: true },
    ],
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
    resumed: 'ON',
    checked: 'ON',
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
    ['resumed', 'resumed_now'],
  ])
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        resume_asked_by, resume_asked_at, ended_at, outcome, release_reason)
      values (${userId}, 'act_1', ${id}, 'ended', 'LOW', 'LOW_DISRUPTION', now(), now(),
        ${userId}, ${new Date(2500)}, ${new Date(3000)}, 'released', ${reason})`.execute(db());

  await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, paused_at)
    values (${userId}, 'act_1', 'checked', 'paused', 'LOW', 'LOW_DISRUPTION', now(), now(), now())`.execute(
    db(),
  );

  const read = (match: { since: number } | null) => readCoverage(db(), userId, { now: NOW, match });
  const none = { count: 0, budget: 0, unknownBudgets: 0 };
  const matched = await read({ since: 2000 });
  expect(matched).toEqual([
    {
      ...{ id: 'act_1', name: 'act_1', currency: 'EUR' },
      protected: { count: 1, budget: 5, unknownBudgets: 0 },
      open: { count: 3, budget: 15, unknownBudgets: 1 },
      blocked: { count: 2, budget: 15, unknownBudgets: 0 },
      resumed: { count: 2, budget: 20, unknownBudgets: 1 },
      checking: { count: 1, budget: 30, unknownBudgets: 0 },
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
  const blocked = { count: 1, budget: 9, unknownBudgets: 0 };
  const [unmatched] = await read(null);
  expect(unmatched).toMatchObject({ protected: { count: 5, budget: 61, unknownBudgets: 1 }, blocked });
  expect(unmatched).not.toHaveProperty('resumed');
  const [next] = await read({ since: 3001 });
  expect(next).toMatchObject({ protected: { count: 4, budget: 31, unknownBudgets: 1 }, blocked });
  expect(next).toHaveProperty('checking.count', 1);
  await sql`update ad_accounts set writes_blocked_until = ${new Date(NOW)} where id = 'act_1'`.execute(db());
  expect((await read(null))[0]).toMatchObject({ protected: none, open: none, blocked: { count: 9 } });
});

test.each([
  ['never read', null, null, true],
  ['read a day ago', 0, null, true],
  ['read within the day', 1, null, undefined],
  ['that Meta refuses', 1, new Date(0), true],
])(
  '[UX-18] counts only campaigns of current lists: an ad account %s',
  async (_which, readAt, lostAt, isUnread) => {
    const userId = await plantUser(db());
    await saveAdAccounts(db(), userId, { value: [listedAccount('act_5')], isPartial: false }, NOW);
    await saveCampaigns(db(), [
      { accountId: 'act_5', isPartial: false, readAt: readAt ?? 0, campaigns: [one('5', 5)] },
    ]);
    if (readAt === null) await sql`delete from campaign_lists`.execute(db());
    await db().updateTable('adAccounts').set({ lostAt }).execute();
    const [coverage] = await readCoverage(db(), userId, { now: days(1), match: null });
    expect(coverage?.isUnread).toBe(isUnread);
    expect(coverage?.open.count).toBe(isUnread ? 0 : 1);
  },
);

function one(id: string, dailyBudget: number | null) {
  return { id, name: id, status: 'ACTIVE', objective: 'X', dailyBudget, isLegacyAdvantage: false };
}
