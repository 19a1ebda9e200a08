import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every distinct file of Meta's status page, compressed with zstd: no archive of them exists elsewhere. */
export const statusFiles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create table status_file (
          id bigint generated always as identity primary key,
          path text not null,
          sha256 bytea not null,
          first_at timestamptz not null,
          last_at timestamptz not null,
          body bytea not null,
          unique (path, sha256)
        )`,
      )
      .execute(db);
  },
};
