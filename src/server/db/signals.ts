import { sql } from 'kysely';
import type { Signal } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';

/**
 * What acts for each user beside the status page: signals that are on, or that have ended in the match that lasts.
 * @param moment.matchBegan null: there is no match
 */
export async function findActing(
  db: Db,
  userIds: readonly string[],
  { now, matchBegan }: { now: Instant; matchBegan: Instant | null },
): Promise<Map<string, Signal[]>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await sql<Signal & { userId: string }>`
    select one.* from unnest(${[...userIds]}::bigint[]) as wanted(id) cross join lateral (
      select user_id, source, since, until from signals where user_id = wanted.id
        and (until is null or until >= ${timestamp(Math.min(now, matchBegan ?? now))}) offset 0) one`.execute(
    db,
  );
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([id, own]) => [id, own.map(({ source, since, until }) => ({ source, since, until }))]),
  );
}
