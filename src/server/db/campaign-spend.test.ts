import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HourlySpend } from '#core/platform.ts';
import { daysToRead } from '#core/spend/reading.ts';
import { days } from '#core/time.ts';
import { accountIdOf, campaignIdOf, replantRows } from '../../../test/support/population.ts';
import { useFreshDb } from '../../../test/support/database.ts';
import {
  addUpSpend,
  dropOldSpend,
  findSpendAccount,
  findUnread,
  planSpendReads,
  readSpend,
  saveSpend,
} from './campaign-spend.ts';
import { dropAllOrphanedAccounts } from './orphaned-accounts.ts';

const NOW = Date.parse('2026-01-09T12:00:00Z');
const ACCOUNT = accountIdOf(0);
const IDS = [0, 1, 2].map(campaignIdOf);
const [FIRST = '', SECOND = '', THIRD = ''] = IDS;
const hourly = (value: number): HourlySpend => ({
  spend: Array.from({ length: 24 }, (_, hour) => hour * value),
  impressions: Array.from({ length: 24 }, (_, hour) => hour),
});

describe('[SPEND-01] stored spend', () => {
  const db = useFreshDb();
  const wanted = daysToRead('UTC', NOW);
  const unread = (most = 100, now = NOW) =>
    findUnread(db(), ACCOUNT, { wanted: daysToRead('UTC', now), most, now });
  const save = (day: string, readAt = NOW, ids = IDS, spent: [string, HourlySpend][] = []) =>
    saveSpend(db(), { day, readAt, campaignIds: ids }, new Map(spent));
  const all = { first: '2020-01-01', last: '2030-01-01' };

  beforeEach(() =>
    replantRows(db(), { users: 2, accountsEach: 1, campaignsEach: 3 }, new Date(NOW - days(1))),
  );

  test('a row says what was spent, or that nothing was; the newer read stays', async () => {
    const much = hourly(3_000_000_000);
    await save('2026-01-08', NOW, [SECOND, FIRST, 'gone'], [[FIRST, much]]);
    await save('2026-01-08', NOW - 1, [FIRST], [[FIRST, hourly(1)]]);
    const at = { day: '2026-01-08', readAt: NOW };
    expect(await readSpend(db(), [...IDS, 'gone'], { first: at.day, last: at.day })).toEqual([
      { campaignId: FIRST, ...at, ...much },
      { campaignId: SECOND, ...at, spend: null, impressions: null },
    ]);
    await save('2026-01-08', NOW + 1, [FIRST], [[FIRST, hourly(2)]]);
    expect(await readSpend(db(), [FIRST], all)).toMatchObject([{ readAt: NOW + 1, ...hourly(2) }]);
  });

  test('what is not read yet, or not since it settled, is found, newest first, some campaigns at a time', async () => {
    expect(await unread(2)).toEqual({ day: '2026-01-08', campaignIds: [FIRST, SECOND] });
    await save('2026-01-08', NOW, [FIRST, SECOND]);
    expect(await unread()).toEqual({ day: '2026-01-08', campaignIds: [THIRD] });
    for (const { day } of wanted) await save(day);
    expect(await unread()).toBeNull();
    expect(await unread(100, NOW + days(1))).toEqual({ day: '2026-01-09', campaignIds: IDS });
    await save('2026-01-09', NOW + days(1));
    expect(await unread(100, NOW + days(1))).toMatchObject({ day: '2026-01-08' });
  });

  test('only campaigns with SmartPause on, or paused in the last weeks, that Meta lists and that are not archived', async () => {
    const ids = async (now = NOW) => (await unread(100, now))?.campaignIds ?? [];
    await sql`update smartpause_settings set setting = 'OFF' where campaign_id <> ${FIRST}`.execute(db());
    // The others tell nothing while they do not run.
    await sql`update campaigns set status = 'PAUSED'`.execute(db());
    expect(await ids()).toEqual([FIRST]);
    for (const [id, isTest] of [
      [SECOND, false],
      [THIRD, true],
    ] as const)
      await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at,
          ended_at, outcome, began_as_test)
        values (1, ${ACCOUNT}, ${id}, 'ended', 'LOW', 'LOW_DISRUPTION', ${new Date(NOW - days(2))}, now(), now(),
          'resumed', ${isTest})`.execute(db());
    expect(await ids()).toEqual([FIRST, SECOND]);
    await sql`update subscriptions set access_until = ${new Date(NOW)}`.execute(db());
    expect(await ids()).toEqual([SECOND]);
    expect(await ids(NOW + days(56))).toEqual([]);
    await sql`update campaigns set status = 'ARCHIVED' where id = ${SECOND}`.execute(db());
    expect(await ids()).toEqual([]);
  });

  test('where other campaigns run, the days of the ad account are read last, with its own id', async () => {
    await sql`update smartpause_settings set setting = 'OFF' where campaign_id <> ${FIRST}`.execute(db());
    expect(await unread()).toEqual({ day: '2026-01-08', campaignIds: [FIRST] });
    await save('2026-01-08', NOW, [FIRST, SECOND], [[FIRST, hourly(1)]]);
    const [both] = await addUpSpend(db(), [FIRST, SECOND], all);
    expect(both).toEqual({ day: '2026-01-08', ...hourly(1) });
    // A day on which one of them is not known is no sum.
    expect(await addUpSpend(db(), IDS, all)).toEqual([]);
    for (const { day } of wanted) if (day !== '2026-01-08') await save(day, NOW, [FIRST]);
    expect(await unread()).toEqual({ day: '2026-01-08', campaignIds: [ACCOUNT] });
    await save('2026-01-08', NOW, [ACCOUNT], [[ACCOUNT, hourly(2)]]);
    expect(await unread()).toEqual({ day: '2026-01-07', campaignIds: [ACCOUNT] });
    await sql`delete from users`.execute(db());
    await sql`delete from smartpause_settings`.execute(db());
    await dropAllOrphanedAccounts(db());
    expect(await readSpend(db(), [ACCOUNT, ...IDS], all)).toEqual([]);
  });

  test('a job is planned for each of their accounts with a time zone, once', async () => {
    const planned = async () => {
      await planSpendReads(db(), NOW);
      const rows = await db()
        .selectFrom('accountJobs')
        .select('accountId')
        .where('dueAt', 'is not', null)
        .execute();
      return rows.map(({ accountId }) => accountId);
    };
    await sql`update ad_accounts set time_zone = null where user_id = 2`.execute(db());
    expect(await planned()).toEqual([ACCOUNT]);
    await sql`update account_jobs set due_at = null`.execute(db());
    await sql`update smartpause_settings set setting = 'OFF'`.execute(db());
    expect(await planned()).toEqual([]);
    expect(await findSpendAccount(db(), accountIdOf(1), NOW)).toBeNull();
    expect(await findSpendAccount(db(), ACCOUNT, NOW)).toEqual({
      userIds: ['1'],
      timeZone: 'UTC',
      currency: 'USD',
      isBusy: false,
    });
  });

  test.each([
    ['paused', 'status', true],
    ['pausing', 'user', true],
    // It may last for a month.
    ['paused', 'user', false],
  ])('waits for a hold: %s, cause %s', async (state, cause, isBusy) => {
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, cause, decided_at, read_at)
      values (1, ${ACCOUNT}, 'busy', ${state}, 'LOW', 'UP', ${cause}, now(), now())`.execute(db());
    expect((await findSpendAccount(db(), ACCOUNT, NOW))?.isBusy).toBe(isBusy);
    await sql`delete from holds where campaign_id = 'busy'`.execute(db());
  });

  /** By a role that may change rows, and no tables. */
  async function drop(now: number): Promise<void> {
    const role = sql.id(`app_${randomUUID()}`);
    await sql`create role ${role}`.execute(db());
    await sql`grant select, delete on campaign_spend to ${role}`.execute(db());
    await db()
      .transaction()
      .execute(async (tx) => {
        await sql`set local role ${role}`.execute(tx);
        await dropOldSpend(tx, now);
      });
    await sql`drop owned by ${role}`.execute(db());
    await sql`drop role ${role}`.execute(db());
  }

  test('goes with the last user of its ad account, and by whole months', async () => {
    const count = async () => (await readSpend(db(), [...IDS, ...[3, 4, 5].map(campaignIdOf)], all)).length;
    for (const day of ['2025-10-31', '2025-11-30']) await save(day);
    await drop(Date.parse('2025-12-26T12:00:00Z'));
    expect(await count()).toBe(6);
    await drop(Date.parse('2025-12-29T12:00:00Z'));
    expect(await count()).toBe(3);
    await save('2026-01-08', NOW, [campaignIdOf(3)]);
    await drop(NOW);
    expect(await count()).toBe(4);
    await sql`delete from users where id = 1`.execute(db());
    await dropAllOrphanedAccounts(db());
    expect(await count()).toBe(1);
  });

  test('a day of a campaign takes about 400 bytes', async () => {
    await save(
      '2026-01-08',
      NOW,
      IDS,
      IDS.map((id) => [id, hourly(1234)]),
    );
    const { rows } = await sql`select max(pg_column_size(s.*))::int as bytes from campaign_spend s`.execute(
      db(),
    );
    expect(rows).toEqual([{ bytes: 397 }]);
  });
});
