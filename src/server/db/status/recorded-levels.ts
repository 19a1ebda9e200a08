import { sql } from 'kysely';
import type { KnownLevel } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';

export interface RecordedLevel {
  level: KnownLevel;
  at: Instant;
  message: string;
}

/** The known levels that were read from the page since then, oldest first, after the one in force then. */
export async function findRecordedLevels(db: Db, since: Instant): Promise<RecordedLevel[]> {
  const { rows } = await sql<RecordedLevel>`
    select true_level as level, at, message from status_observations
    where true_level <> 'UNKNOWN' and at >= coalesce(
      (select max(at) from status_observations where true_level <> 'UNKNOWN' and at <= ${new Date(since)}::timestamptz), '-infinity')
    order by at, id`.execute(db);
  return rows;
}
