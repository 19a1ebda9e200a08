import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const TABLES = [
  ['person', 'app_user'],
  ['lane', 'work_item'],
  ['mail', 'notification'],
  ['observation', 'status_observation'],
] as const;

const COLUMNS = [
  ['lane', 'lease_no', 'fencing_token'],
  ['mail', 'sealed_at', 'finalized_at'],
  ['activity', 'mail_id', 'notification_id'],
  ['platform_token', 'sealed', 'ciphertext'],
  ['campaign', 'paused_by_hand_at', 'paused_manually_at'],
  ['hold', 'in_doubt', 'unconfirmed'],
  ['hold', 'given_up', 'pending_release'],
  ['hold', 'unsettled', 'unconfirmed_write'],
] as const;

const OF_PERSON = [
  'session',
  'platform_token',
  'subscription',
  'billing_customer',
  'ad_account',
  'smart_pause',
  'hold',
  'activity',
  'mail',
];

const VALUES = [
  ['hold', 'outcome', 'let_go', 'released'],
  ['activity', 'event', 'let_go', 'released'],
  ['activity', 'actor', 'person', 'user'],
  ['app_user', 'leaving_by', 'person', 'user'],
] as const;

const CHECKS = [
  ['hold', 'hold_outcome_check', `outcome in ('resumed', 'released')`],
  ['activity', 'activity_actor_check', `actor in ('user', 'smartpause', 'meta', 'stripe', 'operator')`],
  ['app_user', 'person_leaving_by_check', `leaving_by in ('user', 'meta')`],
] as const;

/** Trigger arguments are text: they name the column of the user of a changed row. */
const TRIGGERS = `do $$ declare one record; begin
  for one in select tgname, tgrelid::regclass as changed, pg_get_triggerdef(oid) as definition from pg_trigger
    where tgname like 'live_update_on_%' and pg_get_triggerdef(oid) like '%.person_id%'
  loop
    execute format('drop trigger %I on %s', one.tgname, one.changed);
    execute replace(one.definition, '.person_id', '.user_id');
  end loop;
end $$`;

/** Renames indexes, constraints and sequences along with their tables. */
const DEPENDENT_NAMES = `do $$ declare one record; renamed text; begin
  for one in select c.relname, c.relkind from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('i', 'S')
      and c.relname ~ '(^|_)(person|lane|mail|observation)(_|$)' and c.relname !~ 'status_observation'
  loop
    renamed := regexp_replace(regexp_replace(regexp_replace(regexp_replace(one.relname,
      '(^|_)person(_|$)', '\\1user\\2'), '(^|_)lane(_|$)', '\\1work_item\\2'),
      '(^|_)mail(_|$)', '\\1notification\\2'), '^observation(_|$)', 'status_observation\\1');
    renamed := replace(renamed, 'notification_given_up', 'notification_failed');
    execute format('alter %s %I rename to %I', case one.relkind when 'S' then 'sequence' else 'index' end, one.relname, renamed);
  end loop;
end $$`;

/** Standard names for tables, columns and values; every row stays. */
export const standardNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [
      ...COLUMNS.map(([table, from, to]) => `alter table ${table} rename column ${from} to ${to}`),
      ...OF_PERSON.map((table) => `alter table ${table} rename column person_id to user_id`),
      ...TABLES.map(([from, to]) => `alter table ${from} rename to ${to}`),
      TRIGGERS,
      ...CHECKS.map(([table, name]) => `alter table ${table} drop constraint ${name}`),
      ...VALUES.map(
        ([table, column, from, to]) => `update ${table} set ${column} = '${to}' where ${column} = '${from}'`,
      ),
      ...CHECKS.map(([table, name, condition]) => {
        const standard = name.replace('person_', 'app_user_');
        return `alter table ${table} add constraint ${standard} check (${condition})`;
      }),
      DEPENDENT_NAMES,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
