import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { minutes } from '#core/time.ts';
import { plantUser, useFreshDb } from '../../../../test/support/database.ts';
import type { Db } from '../database.ts';
import { inTransaction } from '../database.ts';
import { findNotHeld } from '../status/outage-users.ts';
import { readCoverage, readCoverages } from './coverage.ts';
import { countLiveHolds, findHeld } from './notified-activities.ts';
import { readStillRunning } from './still-running.ts';

const NOW = Date.parse('2026-01-08T12:00:00Z');
/** Of users without holds. */
const MANY = Array.from({ length: 49 }, (_one, index) => `${index + 1_000_000}`);
const ago = (count: number) => new Date(NOW - minutes(count));

describe('campaigns that are not paused', () => {
  const db = useFreshDb();
  let userId: string;

  /** An ad account with a running campaign for each setting, chosen long ago. */
  beforeEach(async () => {
    userId = await plantUser(db());
    const account = { userId, id: `act_${userId}`, name: '', currency: 'USD', seenAt: ago(1) };
    await db().insertInto('adAccounts').values(account).execute();
    for (const setting of ['ON', 'OFF'] as const) {
      const campaign = { id: `${userId}${setting}`, name: '', status: 'ACTIVE', objective: '' };
      const about = { accountId: account.id, seenAt: ago(1) };
      await db()
        .insertInto('campaigns')
        .values({ ...campaign, ...about })
        .execute();
      const choice = { userId, campaignId: campaign.id, accountId: account.id, setting };
      await db()
        .insertInto('smartpauseSettings')
        .values({ ...choice, changedAt: ago(60) })
        .execute();
    }
  });

  const change = (row: { lostAt: Date } | { writesBlockedUntil: Date }) =>
    db().updateTable('adAccounts').set(row).where('userId', '=', userId).execute();
  /** Meta has refused the pause for good. */
  const refuses = async (at: Date) => {
    const about = { userId, accountId: `act_${userId}`, campaignId: `${userId}ON` };
    const level = { threshold: 'LOW', level: 'LOW_DISRUPTION', decidedAt: at, readAt: at } as const;
    const end = { state: 'ended', outcome: 'released', releaseReason: 'pause_refused', endedAt: at } as const;
    await db()
      .insertInto('holds')
      .values({ ...about, ...level, ...end })
      .execute();
  };

  const turnsOnAgain = (at: Date) =>
    db().updateTable('smartpauseSettings').set({ changedAt: at }).where('userId', '=', userId).execute();

  test.each([
    ['nothing is known to be wrong', () => Promise.resolve(), 0],
    ['Meta has refused the pause', () => refuses(ago(2)), 1],
    [
      'Meta refused it before SmartPause was turned on again',
      () => refuses(ago(4)).then(() => turnsOnAgain(ago(3))),
      0,
    ],
    ['Meta refused it in an earlier match', () => refuses(ago(20)), 0],
    ['Meta refuses the ad account', () => change({ lostAt: ago(1) }), 1],
    ['Meta refuses all changes', () => change({ writesBlockedUntil: ago(-1) }), 1],
    ['Meta refused all changes', () => change({ writesBlockedUntil: ago(1) }), 0],
  ])('%s', async (_what, plant, refused) => {
    await plant();
    const found = await readStillRunning(db(), userId, { now: NOW, matchSince: NOW - minutes(10) });
    expect(found).toMatchObject({ running: 1, refused, count: 1 - refused });
  });

  test.each([
    [
      'the campaigns that are not paused',
      (tx: Db) => readStillRunning(tx, userId, { now: NOW, matchSince: NOW }),
    ],
    ['the coverage', (tx: Db) => readCoverage(tx, userId, { now: NOW, match: { since: NOW } })],
    ['the live holds', (tx: Db) => countLiveHolds(tx, [userId], NOW)],
    ['the live holds of many', (tx: Db) => countLiveHolds(tx, [userId, ...MANY], NOW)],
    ['the held campaigns of many', (tx: Db) => findHeld(tx, [userId, ...MANY], NOW)],
    [
      'the coverage of many',
      (tx: Db) => readCoverages(tx, [userId, ...MANY], { now: NOW, match: { since: NOW } }),
    ],
  ])('%s: holds of other users and of the past are not read', async (_what, read) => {
    const other = await plantUser(db());
    const plantHolds = (owner: string, state: 'ended' | 'pausing') =>
      sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at, ended_at, outcome)
        select ${owner}, 'act_0', ${owner} || '-' || one, ${state}, 'LOW', 'LOW_DISRUPTION', now(), now(),
          case ${state} when 'ended' then now() end, case ${state} when 'ended' then 'resumed' end
        from generate_series(1, 1000) one`.execute(db());
    const list = { accountId: `act_${userId}`, readAt: ago(1) };
    await db().insertInto('campaignLists').values(list).execute();
    await plantHolds(userId, 'ended');
    // As before an outage, whose first pauses PostgreSQL does not know of.
    await sql`analyze holds`.execute(db());
    await plantHolds(other, 'pausing');
    const seen = await inTransaction(db(), async (tx) => {
      const count = async () => {
        const { rows } = await sql<{ n: number }>`select sum(pg_stat_get_xact_tuples_returned(id))::int as n
          from (select 'holds'::regclass union select indexrelid from pg_index where indrelid = 'holds'::regclass) of(id)`.execute(
          tx,
        );
        return rows[0]?.n ?? Infinity;
      };
      const before = await count();
      await read(tx);
      return (await count()) - before;
    });
    expect(seen).toBeLessThan(10);
  });

  test('in the record of an outage, those with SmartPause off need a readable ad account', async () => {
    const outage = { id: '1', startedAt: NOW, endedAt: null, peak: 'LOW_DISRUPTION' } as const;
    const found = async () =>
      (await findNotHeld(db(), [userId], outage)).map(({ setting }) => setting?.value);
    expect(await found()).toEqual(['OFF', 'ON']);
    await change({ lostAt: ago(1) });
    expect(await found()).toEqual(['ON']);
  });
});
