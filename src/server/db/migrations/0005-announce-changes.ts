import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Act = 'insert' | 'update' | 'delete';

const ROWS: Record<Act, string> = {
  insert: 'new table as came',
  update: 'old table as gone new table as came',
  delete: 'old table as gone',
};

/** After every statement of that kind on the table: announces whom the changed rows concern. */
function announce(table: string, act: Act, kind: string, whom: string): string[] {
  const name = `announce_${kind}_${table}_${act}`;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
     begin perform announce('${kind}', array(${whom})); return null; end $$`,
    `create trigger ${name} after ${act} on ${table} referencing ${ROWS[act]}
     for each statement execute function ${name}()`,
  ];
}

const PERSON = 'person_id::text';
const ACCOUNT = `person_id || ':' || account_id`;

/** Those of rows whose given columns are others than before. */
function changed(key: string, columns: string, whom: string): string {
  const of = (row: string) => columns.replaceAll(/\b(?=\w)/g, `${row}.`);
  return `select unnest(array[${whom}]) from gone b join came a using (${key})
    where (${of('a')}) is distinct from (${of('b')})`;
}

const statements = [
  // Whom a change concerns, in texts that a notification has room for. Nobody: nothing is said.
  `create function announce(kind text, whom text[]) returns void language sql as $$
    select pg_notify('smartpause_changes', kind || ' ' || string_agg(one, ','))
    from (select one, (row_number() over () - 1) / 100 as chunk from (select distinct unnest(whom) as one) u) c
    group by chunk $$`,

  // That somebody looked is no news, unless nobody had for a while.
  `create function announce_status() returns trigger language plpgsql as $$
   begin perform pg_notify('smartpause_changes', 'status'); return null; end $$`,
  `create trigger announce_status after update on platform_status for each row when (
    (old.effective, old.known, old.true_level, old.directive, old.message, old.login_disrupted)
      is distinct from (new.effective, new.known, new.true_level, new.directive, new.message, new.login_disrupted)
    or new.checked_at > coalesce(old.checked_at, '-infinity') + interval '45 seconds'
  ) execute function announce_status()`,
  `create function announce_activity() returns trigger language plpgsql as $$
   begin
     if exists (select from came) then perform pg_notify('smartpause_changes', 'activity'); end if;
     return null;
   end $$`,
  `create trigger announce_activity after insert on activity referencing new table as came
   for each statement execute function announce_activity()`,

  ...announce('hold', 'insert', 'campaigns', `select ${ACCOUNT} from came`),
  ...announce(
    'hold',
    'update',
    'campaigns',
    `select unnest(array[b.person_id || ':' || b.account_id, a.person_id || ':' || a.account_id])
     from gone b join came a using (id)
     where (a.state, a.person_id, a.resumed_at) is distinct from (b.state, b.person_id, b.resumed_at)`,
  ),
  ...announce('smart_pause', 'insert', 'campaigns', `select ${ACCOUNT} from came`),
  ...announce('smart_pause', 'update', 'campaigns', `select ${ACCOUNT} from came`),
  ...announce('smart_pause', 'delete', 'campaigns', `select ${ACCOUNT} from gone`),
  ...announce(
    'campaign',
    'insert',
    'campaigns',
    `select o.person_id || ':' || o.id from came join ad_account o on o.id = came.account_id`,
  ),
  ...announce(
    'campaign',
    'update',
    'campaigns',
    `select o.person_id || ':' || o.id from gone b join came a using (id)
     join ad_account o on o.id in (a.account_id, b.account_id)
     where (a.account_id, a.name, a.status, a.objective, a.daily_budget, a.listed)
       is distinct from (b.account_id, b.name, b.status, b.objective, b.daily_budget, b.listed)`,
  ),

  ...announce('ad_account', 'insert', 'accounts', `select ${PERSON} from came`),
  ...announce('ad_account', 'update', 'accounts', changed('person_id, id', 'name, currency', PERSON)),
  ...announce('ad_account', 'delete', 'accounts', `select ${PERSON} from gone`),

  ...announce('subscription', 'insert', 'subscription', `select ${PERSON} from came`),
  ...announce(
    'subscription',
    'update',
    'subscription',
    changed(
      'person_id, source',
      'status, plan_type, current_period_end, canceled_at, trial_end, renews',
      PERSON,
    ),
  ),
  ...announce('subscription', 'delete', 'subscription', `select ${PERSON} from gone`),

  ...announce(
    'person',
    'update',
    'person',
    changed(
      'id',
      'name, email, roles, initialized_at, threshold, resume_settings, match_ended_by_edit_at, leaving',
      'id::text',
    ),
  ),
  ...announce('platform_token', 'insert', 'person', `select ${PERSON} from came`),
  ...announce('platform_token', 'update', 'person', changed('person_id', 'refused_at, expires_at', PERSON)),
  ...announce('platform_token', 'delete', 'person', `select ${PERSON} from gone`),

  ...announce('session', 'insert', 'sessions', `select ${PERSON} from came`),
  ...announce('session', 'delete', 'sessions', `select ${PERSON} from gone`),
  ...announce('session', 'delete', 'ended', `select id::text from gone`),
];

/** Every change that a page could show is announced by the database, in the transaction that makes it. */
export const announceChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
