import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `alter table hold add column pause_sent_at timestamptz, add column resume_sent_at timestamptz`,
  `create index hold_user on hold (user_id, created_at)`,
  `create index activity_campaign on activity (campaign_id, at) where campaign_id is not null`,
  `alter table outage add column recorded_at timestamptz`,
  // What past outages meant for each user was not recorded.
  `update outage set recorded_at = ended_at where ended_at is not null`,
  `create table outage_user (
    outage_id bigint not null references outage on delete cascade,
    user_id bigint not null references app_user on delete cascade,
    threshold text not null,
    reason text,
    not_paused jsonb not null default '{}',
    primary key (user_id, outage_id)
  )`,
  `create index outage_user_outage on outage_user (outage_id)`,
];

/** When writes were sent, and why campaigns were not paused in an outage. */
export const history: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
