import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // What was true of the match when the person last edited the threshold. Until now an edit kept the end alone, which
  // does not tell whether the level fell below the new threshold before that or after it.
  `update person set match_ended_by_edit_at = null`,
  `alter table person rename column match_ended_by_edit_at to match_ended_at`,
  `alter table person add column match_since_at_edit timestamptz`,
  `alter table person add column threshold_edited_at timestamptz`,
  `do $$ begin
     execute replace(pg_get_functiondef('announce_person_person_update'::regproc), 'match_ended_by_edit_at', 'match_ended_at');
   end $$`,
];

export const thresholdEdit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
