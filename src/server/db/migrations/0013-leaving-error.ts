import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Why somebody who is leaving could not be let go the last time, for whoever asks what is stuck. */
export const leavingError: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table person add column leaving_error text').execute(db);
  },
};
