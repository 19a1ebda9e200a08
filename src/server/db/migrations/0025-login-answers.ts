import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The answer to a login callback, encrypted, for a callback that arrives twice. */
export const loginAnswers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `alter table login_attempt add column code_hash bytea, add column claimed_at timestamptz,
          add column answer bytea, add column answer_key_id text`,
      )
      .execute(db);
  },
};
