import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the token was last inspected, so that a suspicion leads to one inspection in some minutes. */
export const tokenChecked: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table platform_token add column checked_at timestamptz').execute(db);
  },
};
