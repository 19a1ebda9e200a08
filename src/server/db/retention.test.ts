import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { HISTORY_DAYS } from '#core/periods.ts';
import { days } from '#core/time.ts';
import { plantUser, useFreshDb } from '../../../test/support/database.ts';
import { RETENTION, dropOldRows, expiredRows } from './retention.ts';
import type { Schema } from './schema.ts';

const NOW = Date.parse('2026-01-09T02:10:00Z');
const GROWING = [
  ...(['activities', 'campaignChanges', 'holds', 'loginAttempts', 'manualChanges'] as const),
  ...(['notifications', 'statusObservations'] as const),
];

describe('old rows', () => {
  const db = useFreshDb();
  const count = async (table: keyof Schema) =>
    Number(
      (await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db())).rows[0]?.n,
    );

  test('of a table that grows with the history are found by an index', async () => {
    const scanned: string[] = [];
    await db()
      .transaction()
      .execute(async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx);
        for (const table of GROWING) {
          const { drop } = RETENTION[table];
          for (const expiry of typeof drop === 'function' ? [] : (drop ?? [])) {
            const plan = await sql<object>`explain ${expiredRows(table, expiry, NOW)}`.execute(tx);
            const name = table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
            if (JSON.stringify(plan.rows).includes(`Seq Scan on ${name}`)) scanned.push(table);
          }
        }
        const attempts =
          await sql<object>`explain select from login_attempts where browser_hash = '\\x01'`.execute(tx);
        if (JSON.stringify(attempts.rows).includes('Seq Scan')) scanned.push('browser_hash');
      });
    expect(scanned).toEqual([]);
  });

  test('a campaign that was deleted on Meta goes with its settings once the history is gone, unless it is held', async () => {
    const userId = await plantUser(db());
    const long = new Date(NOW - days(HISTORY_DAYS + 2));
    for (const [id, unlistedAt] of [
      ['gone', long],
      ['held', long],
      ['listed', null],
      // It had not changed for long before.
      ['missing', new Date(NOW - days(1))],
    ] as const) {
      await sql`insert into campaigns (id, account_id, name, status, objective, seen_at, is_listed, unlisted_at)
        values (${id}, 'act_1', 'A', 'PAUSED', '', ${long}, ${unlistedAt === null}, ${unlistedAt})`.execute(
        db(),
      );
      await sql`insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
        values (${userId}, ${id}, 'act_1', 'ON', ${long})`.execute(db());
    }
    await sql`insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
      values (${userId}, 'act_1', 'held', 'paused', 'LOW', 'LOW_DISRUPTION', now(), now())`.execute(db());
    await dropOldRows(db(), NOW, ['campaigns']);
    expect(
      await db().selectFrom('smartpauseSettings').select('campaignId').orderBy('campaignId').execute(),
    ).toEqual(['held', 'listed', 'missing'].map((campaignId) => ({ campaignId })));
    expect(await count('campaigns')).toBe(3);
  });

  test('the last known level is kept, however old', async () => {
    const at = (age: number) => new Date(NOW - days(age));
    const rows = [
      { at: at(500), trueLevel: 'HIGH_DISRUPTION', message: '' },
      { at: at(450), trueLevel: 'UP', message: '' },
      { at: at(440), trueLevel: 'UNKNOWN', message: '' },
    ] as const;
    await db()
      .insertInto('statusObservations')
      .values([...rows])
      .execute();
    await dropOldRows(db(), NOW);
    const left = await db().selectFrom('statusObservations').select('trueLevel').orderBy('id').execute();
    expect(left.map(({ trueLevel }) => trueLevel)).toEqual(['UP', 'UNKNOWN']);
  });
});
