import { sql } from 'kysely';
import type { Db } from '../src/server/db/database.ts';

/** Values that are easily lost on the way: microseconds, the ends of types, quotes, line ends, bytes that are no text. */
const AWKWARD = 'quo\'te "ü😀\\ \t\r\n,{}NULL\u2028 \\N';
const MOMENT = '2026-03-08 06:59:59.123457+00';
const HUGE = '9223372036854775806';

/** At least one row in every table, with every column filled in one of them and every one that may be empty empty in another. */
export async function fillEveryTable(db: Db): Promise<void> {
  const all = `{"text": "${'ü"\\\\'.replaceAll('"', '\\"')}", "big": 12345678901234567890, "list": [1, null, {}]}`;
  const statements = [
    sql`insert into person (id, platform_user_id, name, email, roles, initialized_at, threshold, resume_settings,
        match_ended_at, match_since_at_edit, threshold_edited_at, leaving, leaving_at, leaving_by, leaving_failures,
        leaving_retry_at, leaving_error, logged_in_at, created_at)
      overriding system value values
      (7, '1', ${AWKWARD}, '', array['administrators', ${AWKWARD}, '', null], ${MOMENT}, 'LOW', ${all}::jsonb, ${MOMENT}, 'infinity',
        '-infinity', 'delete', ${MOMENT}, 'meta', 2147483647, ${MOMENT}, ${AWKWARD}, ${MOMENT}, '0001-01-01 00:00:00.000001+00'),
      (${HUGE}, '2', '', null, '{}', null, 'HIGH', '[]'::jsonb, null, null, null, null, null, null, 0, null, null, ${MOMENT}, ${MOMENT})`,
    sql`insert into session (token_hash, person_id, created_at, expires_at, device, last_used_at)
      values ('\\x00ff0a5c27'::bytea, 7, ${MOMENT}, ${MOMENT}, ${AWKWARD}, ${MOMENT}), ('\\x', ${HUGE}, ${MOMENT}, ${MOMENT}, '', ${MOMENT})`,
    sql`insert into login_attempt (state_hash, browser_hash, return_to, expires_at)
      values ('\\x01', '\\x0d0a', ${AWKWARD}, ${MOMENT})`,
    sql`insert into platform_token (person_id, sealed, key_id, expires_at, saved_at, refused_at, refused_reason, check_at)
      values (7, decode(repeat('00ff', 200), 'hex'), 'aaaaaaaaaaaa', ${MOMENT}, ${MOMENT}, ${MOMENT}, ${AWKWARD}, ${MOMENT}),
      (${HUGE}, '\\x5c78', 'bbbbbbbbbbbb', null, ${MOMENT}, null, null, ${MOMENT})`,
    sql`insert into deletion_request (code, platform_user_hash, requested_at, finished_at, superseded)
      values ('Z', '\\xfe', ${MOMENT}, ${MOMENT}, true), ('a', '\\xfd', ${MOMENT}, null, false)`,
    sql`insert into subscription (person_id, source, status, plan_type, current_period_end, canceled_at, trial_end, renews)
      values (7, 'stripe', 'trialing', 'yearly', ${MOMENT}, ${MOMENT}, ${MOMENT}, true),
      (7, 'grant', 'active', 'monthly', 'infinity', null, null, false)`,
    sql`insert into billing_customer (person_id, customer_id, request_key, sync_no, written_no, sync_at, checkout_until,
        failed_since, last_error)
      values (7, ${AWKWARD}, 'k', 2, 1, ${MOMENT}, ${MOMENT}, ${MOMENT}, ${AWKWARD}),
      (${HUGE}, null, '', 0, 0, ${MOMENT}, null, null, null)`,
    sql`insert into webhook_delivery (signature_hash, event_id, type, received_at)
      values ('\\x00', 'evt', ${AWKWARD}, ${MOMENT})`,
    sql`insert into trial_used (platform_user_hash, at) values ('\\x27', ${MOMENT})`,
    sql`insert into ad_account (person_id, id, name, currency, account_status, seen_at, lost_at)
      values (7, 'act_1', ${AWKWARD}, 'USD', -2147483648, ${MOMENT}, ${MOMENT}), (${HUGE}, 'act_1', '', '', 1, ${MOMENT}, null)`,
    sql`insert into campaign (id, account_id, name, status, objective, daily_budget, listed, seen_at, paused_by_hand_at,
        is_legacy_advantage)
      values ('1', 'act_1', ${AWKWARD}, 'ACTIVE', '', ${HUGE}, false, ${MOMENT}, ${MOMENT}, true),
      ('ä', 'act_1', '', '', '', null, true, ${MOMENT}, null, false), ('Z', 'act_1', '', '', '', 0, true, ${MOMENT}, null, false)`,
    sql`insert into campaign_list (account_id, read_at) values ('act_1', ${MOMENT})`,
    sql`insert into smart_pause (person_id, campaign_id, account_id, setting, changed_at)
      values (7, '1', 'act_1', 'ON', ${MOMENT}), (${HUGE}, '1', 'act_1', 'DEACTIVATED', ${MOMENT})`,
    sql`update platform_status set true_level = 'UP', message = ${AWKWARD}, quote = ${AWKWARD}, directive = 'HIGH_DISRUPTION', match_since = ${all}::jsonb,
      known_is_from_backup = true, checked_at = ${MOMENT}, since = ${MOMENT}`,
    sql`insert into observation (at, true_level, directive, effective, known, message)
      values (${MOMENT}, 'UP', 'UP', 'UP', 'UP', ${AWKWARD}), (${MOMENT}, 'UNKNOWN', null, 'UP', 'UP', '')`,
    sql`insert into status_answer (first_at, last_at, times, level, message, services, trouble, took_ms, longest_ms)
      values (${MOMENT}, ${MOMENT}, 3, 'UP', ${AWKWARD}, ${all}::jsonb, ${AWKWARD}, 5, 2147483647),
      (${MOMENT}, ${MOMENT}, 1, 'UNKNOWN', '', '[]'::jsonb, null, 0, 0)`,
    sql`insert into outage (started_at, ended_at, peak, levels)
      values (${MOMENT}, ${MOMENT}, 'UP', ${all}::jsonb), (${MOMENT}, null, 'UP', 'null'::jsonb)`,
    sql`insert into lane (account_id, next_due_at, priority, lease_no, failures, last_error, blocked_until, usage)
      values ('act_1', ${MOMENT}, ${HUGE}, 5, 2, ${AWKWARD}, ${MOMENT}, ${all}::jsonb), ('act_2', null, 0, 0, 0, null, null, null)`,
    sql`insert into hold (person_id, account_id, campaign_id, state, outcome, reason, attempt, failures, in_doubt, sent_at, retry_at,
        suspected_status, suspected_since, last_error, created_at, paused_at, ended_at, late_pause_until, late_resume_until,
        resumed_at, paused_for, given_up, read_at, unsettled, turned_off)
      values (7, 'act_1', '1', 'ended', 'let_go', ${AWKWARD}, 3, 1, true, ${MOMENT}, ${MOMENT}, 'ACTIVE', ${MOMENT}, ${AWKWARD}, ${MOMENT},
        ${MOMENT}, ${MOMENT}, ${MOMENT}, ${MOMENT}, ${MOMENT}, 'HIGH_DISRUPTION', 'deleted', ${MOMENT}, 'paused', true)`,
    sql`insert into hold (person_id, account_id, campaign_id, state, created_at) values (7, 'act_1', '1', 'paused', ${MOMENT})`,
    sql`insert into mail (id, person_id, kind, event, created_at, due_at, sealed_at, to_address, subject, text, html, attempts,
        last_error, sent_at, failed_at)
      overriding system value values (41, 7, 'k', 'e', ${MOMENT}, ${MOMENT}, ${MOMENT}, ${AWKWARD}, ${AWKWARD}, repeat(${AWKWARD}, 300), ${AWKWARD}, 2,
        ${AWKWARD}, ${MOMENT}, ${MOMENT}), (42, null, 'k', null, ${MOMENT}, null, null, null, null, null, null, 0, null, null, null)`,
    sql`insert into activity (person_id, type, message, at, account_id, campaign_id, hold_id, event, actor, reason, mail_id)
      values (7, 'pause', ${AWKWARD}, ${MOMENT}, 'act_1', '1', 1, 'e', 'meta', ${AWKWARD}, 41),
      (null, 'other', '', ${MOMENT}, null, null, null, '', 'operator', null, null)`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Every value of every row of every table, and what the identities of new rows are counted by. */
export async function everythingIn(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%'`.execute(
    db,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db);
    lines.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  const { rows: sequences } = await sql<{ name: string; value: string }>`
    select sequencename as name, coalesce(last_value, 0)::text as value from pg_sequences`.execute(db);
  lines.push(...sequences.map(({ name, value }) => `${name} ${value}`));
  return lines.sort();
}

/** Which tables have no row. */
export async function emptyTables(db: Db): Promise<string[]> {
  const filled = new Set((await everythingIn(db)).map((line) => line.split(' ')[0]));
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(db);
  return tables.map(({ name }) => name).filter((name) => !filled.has(name));
}

/** Which columns that may be empty are filled in no row, by 'table.column'. */
export async function untriedColumns(db: Db): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%'`.execute(db);
  const untried: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from ${sql.table(table)} where ${sql.ref(column)} is not null) as found`.execute(
      db,
    );
    if (rows[0]?.found !== true) untried.push(`${table}.${column}`);
  }
  return untried.sort();
}
