import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

function announce(name: string, kind: string, whom: string): string {
  return `create or replace function announce_${name}() returns trigger language plpgsql as $$
    begin perform announce('${kind}', array(${whom})); return null; end $$`;
}

/** Rows that came as they were not before. */
const changed = (columns: string) =>
  `(select ${columns} from came except select ${columns} from gone) changed`;
/** Those, and as what they are gone. */
const bothWays = (columns: string) =>
  `(select * from ${changed(columns)} union all (select ${columns} from gone except select ${columns} from came)) touched`;

const HOLD = 'id, person_id, account_id, state, resumed_at';
const CAMPAIGN = 'id, account_id, name, status, objective, daily_budget, listed';
const PERSON = 'id, name, email, roles, initialized_at, threshold, resume_settings, match_ended_at, leaving';
const SUBSCRIPTION =
  'person_id, source, status, plan_type, current_period_end, canceled_at, trial_end, renews';

/**
 * What has changed is found by comparing sets. It was found by a join of the rows before with the rows after, for which
 * the database keeps the plan it has made when there were few: hundreds of campaigns written together then cost each
 * a look at every other, and everybody's rows written together would for ever.
 */
const statements = [
  announce(
    'campaigns_hold_update',
    'campaigns',
    `select person_id || ':' || account_id from ${bothWays(HOLD)}`,
  ),
  announce(
    'campaigns_campaign_insert',
    'campaigns',
    `select o.person_id || ':' || o.id from (select distinct account_id from came) touched
     join ad_account o on o.id = touched.account_id`,
  ),
  announce(
    'campaigns_campaign_update',
    'campaigns',
    `select o.person_id || ':' || o.id from (select distinct account_id from ${bothWays(CAMPAIGN)}) touched
     join ad_account o on o.id = touched.account_id`,
  ),
  announce(
    'accounts_ad_account_update',
    'accounts',
    `select person_id::text from ${changed('person_id, id, name, currency')}`,
  ),
  announce(
    'subscription_subscription_update',
    'subscription',
    `select person_id::text from ${changed(SUBSCRIPTION)}`,
  ),
  announce('person_person_update', 'person', `select id::text from ${changed(PERSON)}`),
  announce(
    'person_platform_token_update',
    'person',
    `select person_id::text from ${changed('person_id, refused_at, expires_at')}`,
  ),
];

export const announceBySets: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
