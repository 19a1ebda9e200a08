import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A live test is a hold that ends by the clock. `test_until` is null for pauses of an outage, also for a test
 * that an outage has kept: that hold counts from then on.
 */
export const liveTest: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `alter table hold add column test_until timestamptz, add column began_as_test boolean not null default false;
        create index hold_live_test on hold (user_id) where began_as_test`,
      )
      .execute(db);
  },
};
