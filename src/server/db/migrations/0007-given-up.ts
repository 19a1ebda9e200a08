import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Why a hold only waits whether a lost resume is still carried out: a hand has paused the campaign meanwhile. */
export const givenUp: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table hold add column given_up text').execute(db);
  },
};
