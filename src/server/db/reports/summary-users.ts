import { sql } from 'kysely';
import type { EventName } from '#core/events.ts';
import type { Instant } from '#core/time.ts';
import { isSubscribed } from '../billing/subscriptions.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

/** Subscribers who were set up before the end of a month and have no summary of it: some of them. */
export async function findUsersToSummarize(
  db: Db,
  { month, until }: { month: string; until: Instant },
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where initialized_at < ${timestamp(until)} and leaving is null
      and ${isSubscribed(sql`users.id`, timestamp(now))}
      and not exists (select from activities a where a.user_id = users.id
        and a.event = ${'month_summarized' satisfies EventName} and a.dedupe_key = ${month})
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
