import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The user's threshold when a pause was decided: it may change before Meta confirms the pause. */
export const pausedThreshold: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `alter table hold add column paused_threshold text check (paused_threshold in ('LOW', 'MEDIUM', 'HIGH'));
        update hold set paused_threshold = split_part(activity.reason, ' meets ', 2) from activity
        where activity.hold_id = hold.id and activity.event = 'paused'
          and split_part(activity.reason, ' meets ', 2) in ('LOW', 'MEDIUM', 'HIGH')`,
      )
      .execute(db);
  },
};
