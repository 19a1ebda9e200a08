import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Turning SmartPause off ends a hold for good, also if it is turned on again before the hold is over. */
export const turnedOff: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table hold add column turned_off boolean not null default false').execute(db);
  },
};
