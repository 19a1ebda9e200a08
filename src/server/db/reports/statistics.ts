import { sql } from 'kysely';
import type { AdminStats } from '#contract/admin-overview.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { onlyRow, withInstants } from '../database.ts';

export async function readStatistics(db: Db, now: Instant): Promise<AdminStats> {
  const result = await sql<AdminStats>`
    select (select count(*)::int from app_user) as "totalUsers",
      (select count(distinct p.id)::int from app_user p join subscription s on s.user_id = p.id
       where p.initialized_at is not null and s.status in ('active', 'trialing', 'canceled')
         and s.current_period_end > ${new Date(now)}::timestamptz) as "activeUsers",
      (select count(*)::int from smart_pause where setting = 'ON') as "smartPauseCampaigns"`.execute(db);
  return onlyRow(result);
}

/** The newest activities of all users. */
export async function listRecentActivities(db: Db, limit: number) {
  const rows = await db
    .selectFrom('activity')
    .leftJoin('app_user', 'app_user.id', 'activity.user_id')
    .select([
      'activity.id',
      'activity.type',
      'activity.message',
      'activity.at as timestamp',
      'app_user.name as user',
    ])
    .orderBy('activity.at', 'desc')
    .orderBy('activity.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withInstants);
}
