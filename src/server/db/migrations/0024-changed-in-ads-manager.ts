import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a list first showed a status that was not set through SmartPause. */
export const changedInAdsManager: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table campaign add column changed_in_ads_manager_at timestamptz').execute(db);
  },
};
