import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the exchange of a short-lived token for a longer one is tried again; null: not needed. */
export const tokenExtension: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table platform_token add column extend_at timestamptz').execute(db);
    await sql
      .raw('create index platform_token_extend on platform_token (extend_at) where extend_at is not null')
      .execute(db);
  },
};
