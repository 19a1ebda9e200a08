import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FreshDatabase } from '../../../../test/support/database.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './index.ts';

const RENAMED = {
  person: 'app_user',
  lane: 'work_item',
  mail: 'notification',
  observation: 'status_observation',
};
const UNCHANGED = ['ad_account', 'campaign', 'smart_pause', 'hold', 'session', 'platform_token', 'activity'];

const ROWS_OF_PREVIOUS_VERSION = `
  insert into person (id, platform_user_id, name, resume_settings, logged_in_at, created_at, leaving, leaving_at, leaving_by)
    overriding system value values (1, 'p1', 'Ann', '{}', now(), now(), 'delete', now(), 'person'),
      (2, 'p2', 'Bob', '{}', now(), now(), null, null, null);
  insert into ad_account (person_id, id, name, currency, account_status, seen_at)
    values (1, 'act_1', 'Account', 'USD', 1, now());
  insert into campaign (id, account_id, name, status, objective, seen_at, paused_by_hand_at)
    values ('c1', 'act_1', 'Shoes', 'PAUSED', 'SALES', now(), now());
  insert into smart_pause (person_id, campaign_id, account_id, setting, changed_at) values (1, 'c1', 'act_1', 'ON', now());
  insert into lane (account_id, lease_no) values ('act_1', 7);
  insert into hold (person_id, account_id, campaign_id, state, outcome, reason, in_doubt, unsettled, created_at, ended_at)
    values (1, 'act_1', 'c1', 'ended', 'let_go', 'manual_pause', true, 'pausing', now(), now());
  insert into hold (person_id, account_id, campaign_id, state, given_up, created_at)
    values (2, 'act_1', 'c1', 'paused', 'paused_outside', now());
  insert into mail (person_id, kind, created_at, sealed_at) values (1, 'paused', now(), now());
  insert into activity (person_id, type, message, at, event, actor, hold_id, mail_id)
    select 1, 'other', 'It ended.', now(), 'let_go', 'person', min(h.id), min(m.id) from hold h, mail m;
  insert into session (token_hash, person_id, created_at, expires_at, last_used_at)
    values ('\\x01', 1, now(), now(), now());
  insert into platform_token (person_id, sealed, key_id, saved_at, check_at) values (1, '\\x02', 'k', now(), now());
  insert into observation (at, true_level, effective, known, message) values (now(), 'HIGH', 'HIGH', 'HIGH', 'm');`;

let database: FreshDatabase;
beforeAll(async () => {
  const previous = Object.entries(migrations).filter(([name]) => name < '0017');
  database = await freshDatabase({ migrations: Object.fromEntries(previous) });
  await database.pool.query(ROWS_OF_PREVIOUS_VERSION);
});
afterAll(() => database.close());

async function rowsOf(tables: readonly string[]): Promise<string[][]> {
  const read = async (table: string): Promise<string[]> =>
    (await database.pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)).rows.map(
      ({ row }) => row,
    );
  return Promise.all(tables.map(read));
}

test('an upgrade keeps every row and gives values their standard names', async () => {
  const before = await rowsOf([...Object.keys(RENAMED), ...UNCHANGED]);
  expect(before.every((rows) => rows.length > 0)).toBe(true);
  const upTo17 = Object.entries(migrations).filter(([name]) => name < '0018');
  expect(await migrate(database, Object.fromEntries(upTo17))).toEqual(['0017-standard-names']);
  const after = await rowsOf([...Object.values(RENAMED), ...UNCHANGED]);
  const withStandardNames = before.map((rows) =>
    rows.map((row) => row.replaceAll(',let_go,', ',released,').replace(/,person([,)])/, ',user$1')),
  );
  expect(after.map((rows) => rows.toSorted())).toEqual(withStandardNames.map((rows) => rows.toSorted()));
});

test('no table, column, index or sequence has an old name', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname || coalesce('.' || a.attname, '') as name from pg_class c
      left join pg_attribute a on a.attrelid = c.oid and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace
        and (c.relname || ' ' || coalesce(a.attname, '')) ~ '(^|[_ ])(person|lane|mail|sealed|unsettled|in_doubt|given_up)([_ ]|$)'`,
  );
  expect(rows).toEqual([]);
});
