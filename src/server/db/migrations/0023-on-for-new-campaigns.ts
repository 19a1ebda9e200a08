import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether the user wants SmartPause on for campaigns that are new in an ad account. */
export const onForNewCampaigns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw('alter table app_user add column on_for_new_campaigns boolean not null default false')
      .execute(db);
    await sql
      .raw('create index app_user_on_for_new_campaigns on app_user (id) where on_for_new_campaigns')
      .execute(db);
  },
};
