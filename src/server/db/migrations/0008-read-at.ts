import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * When the list was asked for on which a hold was decided: whatever a hand has done since, it cannot have shown. And
 * ended holds are found by their end: the old ones to be dropped, the latest for what they sent last. And when somebody
 * paused a campaign by hand here, which a list that is behind does not show.
 */
export const readAt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table hold add column read_at timestamptz').execute(db);
    await sql.raw('alter table campaign add column paused_by_hand_at timestamptz').execute(db);
    await sql.raw("create index hold_ended on hold (ended_at) where state = 'ended'").execute(db);
  },
};
