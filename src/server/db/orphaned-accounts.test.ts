import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountIdOf, replantRows } from '../../../test/support/population.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import { planJobs } from './account-jobs.ts';
import { countUnsettled } from './holds/holds.ts';
import { dropAllOrphanedAccounts, dropOrphanedAccounts, findAccountsOf } from './orphaned-accounts.ts';
import { deleteUser } from './users/users.ts';

const [FIRST, SECOND, THIRD, FOURTH] = [0, 1, 2, 3].map(accountIdOf) as [string, string, string, string];

describe('ad accounts without users', () => {
  const db = useFreshDb();

  beforeEach(async () => {
    await replantRows(db(), { users: 2, accountsEach: 2, campaignsEach: 2 }, new Date());
    await planJobs(db(), 'new_campaigns', sql`select id from ad_accounts`);
  });

  /** The ad accounts in each of the tables. */
  async function left(): Promise<string[][]> {
    const of = async (table: string) => {
      const { rows } = await sql<{ id: string }>`
        select distinct account_id as id from ${sql.table(table)} order by 1`.execute(db());
      return rows.map(({ id }) => id);
    };
    return Promise.all(['campaign_lists', 'campaigns', 'work_items', 'account_jobs'].map(of));
  }

  test('are dropped with their campaigns when their user is deleted, and those of others are not looked for', async () => {
    await sql`delete from ad_accounts where id = ${SECOND}`.execute(db());
    const own = await findAccountsOf(db(), '1');
    expect(own.toSorted()).toEqual([FIRST, SECOND]);
    // Without any user.
    await deleteUser(db(), '2');
    await deleteUser(db(), '1');
    await dropOrphanedAccounts(db(), own);
    expect(await left()).toEqual([0, 1, 2, 3].map(() => [THIRD, FOURTH]));
    await dropAllOrphanedAccounts(db());
    expect(await left()).toEqual([[], [], [], []]);
  });

  test('are those without a user who lists them, has settings or is owed a resume', async () => {
    await sql`delete from ad_accounts where id <> ${FIRST}`.execute(db());
    await sql`delete from smartpause_settings where account_id <> ${SECOND}`.execute(db());
    await sql`update smartpause_settings set setting = 'OFF'`.execute(db());
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
      values (2, ${THIRD}, 'c', 'paused', 'LOW', 'LOW_DISRUPTION', now(), now())`.execute(db());
    await dropAllOrphanedAccounts(db());
    expect(await left()).toEqual([0, 1, 2, 3].map(() => [FIRST, SECOND, THIRD]));
  });

  test('are found in pieces, also with a work item alone; one that is in use stays', async () => {
    await sql`delete from users`.execute(db());
    await sql`delete from campaign_lists where account_id > ${FIRST}`.execute(db());
    await sql`delete from campaigns where account_id > ${FIRST}`.execute(db());
    await sql`update work_items set lease_until = now() where account_id = ${SECOND}`.execute(db());
    await dropAllOrphanedAccounts(db(), 1);
    expect(await left()).toEqual([[], [], [SECOND], []]);
  });

  test('the writes that are being sent for an account count although Meta lists it no longer for the user', async () => {
    await sql`delete from ad_accounts`.execute(db());
    expect(await countUnsettled(db(), '1', Date.now())).toBe(0);
    await sql`update work_items set intent = '[]' where account_id in (${SECOND}, ${THIRD})`.execute(db());
    expect(await countUnsettled(db(), '1', Date.now())).toBe(1);
  });

  test('a deletion finds the rows of its user by an index', async () => {
    const { rows } = await sql`
      select r.conrelid::regclass::text as table, a.attname as column
      from pg_constraint r join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[1]
      where r.contype = 'f' and r.confrelid = 'users'::regclass and not exists (
        select from pg_index i where i.indrelid = r.conrelid and i.indkey[0] = r.conkey[1] and i.indpred is null)`.execute(
      db(),
    );
    expect(rows).toEqual([]);
  });
});
