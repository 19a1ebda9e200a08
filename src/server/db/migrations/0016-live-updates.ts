import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const ROWS = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
};

type Act = keyof typeof ROWS;
const ALL: readonly Act[] = ['insert', 'update', 'delete'];
/** Where the user is found: from a changed row `r`, with a join if need be; null: not about one user. */
const NO_USER = ['null', ''];
const USER = ['r.person_id', ''];
const PERSON = ['r.id', ''];
const ACCOUNT_USERS = ['o.person_id', 'join ad_account o on o.id = r.account_id'];

const triggers: readonly [table: string, acts: readonly Act[], topic: string, user: readonly string[]][] = [
  ['platform_status', ['update'], 'status', NO_USER],
  ['activity', ['insert'], 'activity', NO_USER],
  ['hold', ['insert', 'update'], 'campaigns', USER],
  ['smart_pause', ALL, 'campaigns', USER],
  ['campaign', ['insert', 'update'], 'campaigns', ACCOUNT_USERS],
  ['ad_account', ALL, 'adAccounts', USER],
  ['subscription', ALL, 'subscription', USER],
  ['person', ['update'], 'user', PERSON],
  ['platform_token', ALL, 'user', USER],
  ['session', ['insert', 'delete'], 'sessions', USER],
];

/** Columns that are written on a schedule and not shown: a change of nothing else is not announced. */
const BOOKKEEPING = '{seen_at,checked_at,check_at,poller,poller_until}';

const dropPredecessors = `do $$ declare name regprocedure; begin
  for name in select oid::regprocedure from pg_proc
    where starts_with(proname, 'announce') and pronamespace = current_schema()::regnamespace
  loop execute format('drop function %s cascade', name); end loop;
end $$`;

// Dynamic SQL is planned for the number of rows at hand.
const createFunction = `create function notify_live_update() returns trigger language plpgsql as $$
  declare
    changed text := case tg_op when 'DELETE' then 'table old_rows' else 'table new_rows' end;
    compared text;
  begin
    if tg_op = 'UPDATE' then
      select string_agg(quote_ident(attname), ', ') into compared from pg_attribute
        where attrelid = tg_relid and attnum > 0 and not attisdropped and attname <> all('${BOOKKEEPING}');
      changed := format('(select %1$s from new_rows except select %1$s from old_rows)
        union all (select %1$s from old_rows except select %1$s from new_rows)', compared);
    end if;
    execute format('select pg_notify(''smartpause_live'', json_build_object(''topic'', %L, ''userId'', id)::text)
      from (select distinct (%s)::text as id from (%s) r %s) users', tg_argv[0], tg_argv[1], changed, tg_argv[2]);
    return null;
  end $$`;

/** Announces each change that a page could show, in its transaction, once per user and topic. */
export const liveUpdates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const created = triggers.flatMap(([table, acts, topic, [user, join]]) =>
      acts.map(
        (act) => `create trigger live_update_on_${act} after ${act} on ${table} referencing ${ROWS[act]}
          for each statement execute function notify_live_update('${topic}', '${user}', '${join}')`,
      ),
    );
    for (const statement of [dropPredecessors, createFunction, ...created]) {
      await sql.raw(statement).execute(db);
    }
  },
};
