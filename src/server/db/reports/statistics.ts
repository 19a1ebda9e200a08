import { sql } from 'kysely';
import type { AdminStats } from '#contract/admin-overview.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { onlyRow, withInstants } from '../database.ts';

export async function readStatistics(db: Db, now: Instant): Promise<AdminStats> {
  const result = await sql<AdminStats>`
    select (select count(*)::int from users) as "totalUsers",
      (select count(distinct p.id)::int from users p join subscriptions s on s.user_id = p.id
       where p.initialized_at is not null and s.status in ('active', 'trialing', 'canceled')
         and s.current_period_end > ${new Date(now)}::timestamptz) as "activeUsers",
      (select count(*)::int from smartpause_settings where setting = 'ON') as "smartPauseCampaigns"`.execute(
    db,
  );
  return onlyRow(result);
}

/** The newest activities of all users. */
export async function listRecentActivities(db: Db, limit: number) {
  const rows = await db
    .selectFrom('activities')
    .leftJoin('users', 'users.id', 'activities.userId')
    .select([
      'activities.id',
      'activities.type',
      'activities.message',
      'activities.createdAt as timestamp',
      'users.name as user',
    ])
    .orderBy('activities.createdAt', 'desc')
    .orderBy('activities.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withInstants);
}
