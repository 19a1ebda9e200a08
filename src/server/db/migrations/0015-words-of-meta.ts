import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What Meta says word for word, and the campaigns that Meta no longer lets anyone change through its API. */
export const wordsOfMeta: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table platform_status add column quote text').execute(db);
    await sql
      .raw('alter table campaign add column is_legacy_advantage boolean not null default false')
      .execute(db);
  },
};
