import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the account's campaign list was ever read as a whole: before, an unknown campaign is not a new one. */
export const wholeLists: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table campaign_list add column was_whole boolean not null default true').execute(db);
  },
};
