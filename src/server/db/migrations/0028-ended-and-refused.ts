import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  'alter table campaign add column start_time timestamptz, add column stop_time timestamptz',
  // How often Meta refused a write for good, and its own words.
  'alter table hold add column refusals int not null default 0, add column refusal text',
  'alter table manual_change add column meta_said text',
  "create index hold_pause_refused on hold (account_id) where reason = 'pause_refused'",
];

/** Campaigns that have ended or not started yet, and writes that Meta refuses for good. */
export const endedAndRefused: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
