import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listedAccount, plantUser, useFreshDb } from '../../../test/support/database.ts';
import { CENTS } from '../../core/budget-order.ts';
import { minutes } from '../../core/time.ts';
import { saveAdAccounts } from './ad-accounts.ts';
import { saveCampaigns, saveSmartPause } from './campaigns.ts';
import { saveListAndTurnOn } from '../new-campaigns.ts';
import { updatePriorities } from './priorities.ts';
import { ensureWorkItem } from './work-items.ts';

describe('[ENG-22] the order of ad accounts by their budgets', () => {
  const db = useFreshDb();
  const ACCOUNTS = ['act_1', 'act_2'];
  let readAt = minutes(1);

  const listOf = (accountId: string, budgets: Record<string, number | null>, status = 'ACTIVE') => ({
    ...{ accountId, isPartial: false, withArchived: true, readAt: (readAt += minutes(1)) },
    campaigns: Object.entries(budgets).map(([id, dailyBudget]) => ({
      ...{
        id,
        name: id,
        status,
        objective: '',
        isLegacyAdvantage: false,
        startTime: null,
        stopTime: null,
        dailyBudget,
      },
    })),
  });
  const order = async () => {
    const { rows } = await sql<{ accountId: string; cents: number }>`
      select account_id, priority::float8 as cents from work_items order by priority desc`.execute(db());
    return rows.map(({ accountId, cents }) => [accountId, cents]);
  };

  test('counts US cents of listed campaigns with SmartPause on, as of the last list', async () => {
    const [userId, colleague] = [await plantUser(db()), await plantUser(db())];
    for (const user of [userId, colleague]) {
      const value = ['KRW', 'USD'].map((currency, index) =>
        listedAccount(ACCOUNTS[index] ?? '', { currency }),
      );
      await saveAdAccounts(db(), user, { value, isPartial: false }, 0);
    }
    for (const accountId of ACCOUNTS) await ensureWorkItem(db(), accountId);
    await saveCampaigns(db(), [
      listOf('act_1', { won: 1_000_000, off: 9_000_000 }),
      listOf('act_2', { dollars: 900_000, more: 100, none: null }),
    ]);
    const set = (campaignId: string, setting: 'ON' | 'OFF', user = userId) =>
      saveSmartPause(
        db(),
        {
          ...{ userId: user, setting },
          campaigns: [{ id: campaignId, accountId: campaignId === 'won' ? 'act_1' : 'act_2' }],
        },
        readAt,
      );
    for (const id of ['won', 'dollars', 'more', 'none']) await set(id, 'ON');
    const won = Math.round(1_000_000 * (CENTS['KRW'] ?? 0));
    expect(await order()).toEqual([
      ['act_2', 900_100],
      ['act_1', won],
    ]);
    // Another user's wish for the same campaign is no second budget.
    await set('dollars', 'ON', colleague);
    expect((await order())[0]).toEqual(['act_2', 900_100]);
    const stored = async (list: ReturnType<typeof listOf>) => {
      await saveListAndTurnOn(db(), list, list.readAt);
      return (await order()).find(([accountId]) => accountId === 'act_2')?.[1];
    };
    expect(await stored(listOf('act_2', { dollars: 5000, more: 100, none: null }))).toBe(5100);
    expect(await stored(listOf('act_2', { dollars: 5000 }))).toBe(5000);
    expect(await stored(listOf('act_2', { dollars: 5000 }, 'PAUSED'))).toBe(5000);
    expect((await order())[0]).toEqual(['act_1', won]);
    expect(await stored(listOf('act_2', { dollars: 5000 }, 'ARCHIVED'))).toBe(0);
  });

  test('reads each setting once, however many campaigns are chosen', async () => {
    const userId = await plantUser(db());
    await ensureWorkItem(db(), 'act_many');
    const ids = Array.from({ length: 1000 }, (_none, index) => `many${index}`);
    await saveCampaigns(db(), [listOf('act_many', Object.fromEntries(ids.map((id) => [id, 1])))]);
    const campaigns = ids.map((id) => ({ id, accountId: 'act_many' }));
    await saveSmartPause(db(), { userId, setting: 'ON', campaigns }, readAt);
    await db()
      .transaction()
      .execute(async (tx) => {
        await updatePriorities(tx, ['act_many']);
        const { rows } = await sql<{ reads: number }>`
          select (seq_tup_read + idx_tup_fetch)::float8 as reads from pg_stat_xact_user_tables
          where relname = 'smartpause_settings'`.execute(tx);
        expect(rows[0]?.reads).toBeLessThan(10_000);
      });
    expect(await order()).toContainEqual(['act_many', 1000]);
  });
});
