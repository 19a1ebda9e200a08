import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** In which state a hold was let go, if nobody can find out any more whether the write of then was carried out. */
export const unsettled: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `alter table hold add column unsettled text check (unsettled in ('pausing', 'paused', 'resuming'))`,
      )
      .execute(db);
  },
};
