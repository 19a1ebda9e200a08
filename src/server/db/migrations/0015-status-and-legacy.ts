import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The words of Meta's status page, to be quoted.
  'alter table platform_status add column quote text',
  // The known level is that of a restored backup: no status has been read since.
  'alter table platform_status add column known_is_from_backup boolean not null default false',
  // Meta's API refuses changes to these campaigns.
  'alter table campaign add column is_legacy_advantage boolean not null default false',
];

export const statusAndLegacy: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
