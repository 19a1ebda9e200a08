import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** SmartPause was turned off while a write may still be carried out: turned on again, a hold found running is not taken up again. */
export const turnedOff: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table hold add column turned_off boolean not null default false').execute(db);
  },
};
