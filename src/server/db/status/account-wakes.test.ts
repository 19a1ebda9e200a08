import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountIdOf, replantRows } from '../../../../test/support/population.ts';
import { useFreshDb } from '../../../../test/support/database.ts';
import { inTransaction } from '../database.ts';
import { wakeNextAccounts } from './account-wakes.ts';
import { recordStatus } from '../../status/record-status.ts';

const START = Date.parse('2026-01-09T02:10:00Z');
const ACCOUNTS = 25;
const PIECE = 10;

describe('waking the accounts that a status change concerns', () => {
  let now = START;
  const db = useFreshDb({ now: () => now });

  beforeEach(async () => {
    now = START;
    await sql`update platform_status set effective_level = 'UP', override_level = null, known_level = 'UP'`.execute(
      db(),
    );
    await replantRows(db(), { users: ACCOUNTS, accountsEach: 1, campaignsEach: 2 }, new Date(START));
  });

  const change = (directive: 'FORCE_HIGH' | 'FORCE_LOW' | 'FORCE_UP') =>
    recordStatus(db(), { directive }, now, { staleMs: Infinity });
  const piece = () => wakeNextAccounts(db(), PIECE);
  /** The accounts that are due, each with the times it was woken. */
  async function woken(): Promise<[string, number][]> {
    const due = db()
      .selectFrom('workItems')
      .select(['accountId', 'generation'])
      .where('dueAt', 'is not', null);
    const rows = await due.orderBy('accountId').execute();
    return rows.map(({ accountId, generation }) => [accountId, generation]);
  }
  const all = (generation: number, first = 0, end = ACCOUNTS) =>
    Array.from({ length: end - first }, (_, n): [string, number] => [accountIdOf(first + n), generation]);

  test('is not part of the change, and goes through a bounded number of work items at a time', async () => {
    await change('FORCE_HIGH');
    expect(await woken()).toEqual([]);
    const counts: number[] = [];
    while (await piece()) counts.push((await woken()).length);
    expect(counts).toEqual([10, 20, 25]);
    expect(await woken()).toEqual(all(1));
  });

  test('all are due since the change, whenever their piece comes; an earlier time stays', async () => {
    await db()
      .updateTable('workItems')
      .set({ dueAt: new Date(START - 1000) })
      .where('accountId', '=', accountIdOf(20))
      .execute();
    await change('FORCE_HIGH');
    while (await piece()) now += 500;
    const { rows } = await sql<{ dueAt: number; count: number }>`
      select due_at, count(*)::int as count from work_items group by 1 order by 1`.execute(db());
    expect(rows).toEqual([
      { dueAt: START - 1000, count: 1 },
      { dueAt: START, count: ACCOUNTS - 1 },
    ]);
  });

  test('wakes accounts with a live hold or a user with that threshold, and no others', async () => {
    await sql`update users set threshold = 'HIGH'`.execute(db());
    await sql`update users set threshold = 'LOW' where id in (2, 3)`.execute(db());
    await sql`update smartpause_settings set setting = 'OFF' where user_id = 3`.execute(db());
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
        ended_at, outcome)
      select user_id, account_id, campaign_id, case user_id when 4 then 'paused' else 'ended' end, 'LOW', 'LOW_DISRUPTION',
        now(), now(), case user_id when 5 then now() end, case user_id when 5 then 'resumed' end
      from smartpause_settings where user_id in (4, 5)`.execute(db());
    await change('FORCE_LOW');
    while (await piece());
    expect(await woken()).toEqual([all(1)[1], all(1)[3]]);
  });

  test('goes on after a crash behind the last piece that was committed', async () => {
    await change('FORCE_HIGH');
    await piece();
    const crash = inTransaction(db(), async (tx) => {
      await wakeNextAccounts(tx, PIECE);
      throw new Error('the process dies');
    });
    await expect(crash).rejects.toThrow('dies');
    expect(await woken()).toEqual(all(1, 0, 10));
    while (await piece());
    expect(await woken()).toEqual(all(1));
  });

  test('one process wakes a piece; the others neither wait nor repeat it', async () => {
    await change('FORCE_HIGH');
    await inTransaction(db(), async (tx) => {
      expect(await wakeNextAccounts(tx, PIECE)).toBe(true);
      expect(await piece()).toBe(false);
      expect(await woken()).toEqual([]);
      // Nor does another change.
      await change('FORCE_UP');
      expect(await piece()).toBe(false);
    });
    expect(await woken()).toEqual(all(1, 0, 10));
    while (await piece());
    expect(await woken()).toEqual([...all(2, 0, 10), ...all(1, 10)]);
  });

  test('locked work items delay no others, and are woken once they are free', async () => {
    await change('FORCE_HIGH');
    await inTransaction(db(), async (tx) => {
      await tx
        .selectFrom('workItems')
        .select('accountId')
        .where('accountId', 'in', [accountIdOf(3), accountIdOf(24)])
        .forUpdate()
        .execute();
      expect([await piece(), await piece()]).toEqual([true, true]);
      // Only locked ones are left: the caller goes on.
      expect([await piece(), await piece()]).toEqual([false, false]);
      expect(await woken()).toEqual([...all(1, 0, 3), ...all(1, 4, 24)]);
    });
    expect([await piece(), await piece()]).toEqual([true, false]);
    expect(await woken()).toEqual(all(1));
  });

  test('a locked work item that is removed is waited for no longer', async () => {
    await change('FORCE_HIGH');
    await inTransaction(db(), async (tx) => {
      await tx.deleteFrom('workItems').where('accountId', '=', accountIdOf(3)).execute();
      while (await piece());
    });
    await piece();
    expect(await db().selectFrom('accountWakes').select('id').execute()).toEqual([]);
  });

  test('a second change begins again with the locked ones, too', async () => {
    await change('FORCE_HIGH');
    await inTransaction(db(), async (tx) => {
      await sql`select from work_items where account_id = ${accountIdOf(3)} for update`.execute(tx);
      while (await piece());
      await change('FORCE_UP');
      while (await piece());
      expect(await woken()).toEqual([...all(2, 0, 3), ...all(2, 4)]);
    });
    while (await piece());
    expect(await woken()).toEqual([...all(2, 0, 3), ...all(1, 3, 4), ...all(2, 4)]);
  });

  test('a second change begins again, for the thresholds of both', async () => {
    await sql`update users set threshold = 'LOW' where id > 20`.execute(db());
    await change('FORCE_HIGH');
    await piece();
    await change('FORCE_UP');
    now += 1000;
    await sql`update account_wakes set thresholds = '{LOW}' where id = (select max(id) from account_wakes)`.execute(
      db(),
    );
    await piece();
    expect(await woken()).toEqual(all(2, 0, 10));
    expect(await db().selectFrom('accountWakes').select(['wokenTo', 'requestedAt']).execute()).toEqual([
      { wokenTo: accountIdOf(9), requestedAt: START },
    ]);
    while (await piece());
    expect(await woken()).toEqual([...all(2, 0, 10), ...all(1, 10)]);
    expect(await db().selectFrom('accountWakes').select('id').execute()).toEqual([]);
  });
});
