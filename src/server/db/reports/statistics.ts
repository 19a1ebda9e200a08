import { sql } from 'kysely';
import type { AdminStats } from '#contract/admin-overview.ts';
import type { ActivityGroup } from '#core/smartpause/activity-text.ts';
import { NAMED_AT_MOST } from '#core/smartpause/activity-text.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { onlyRow, timestamp } from '../database.ts';
import type { ActivityType } from '../schema.ts';

export async function readStatistics(db: Db, now: Instant): Promise<AdminStats> {
  const result = await sql<AdminStats>`
    select (select count(*)::int from users) as "totalUsers",
      (select count(distinct p.id)::int from users p join subscriptions s on s.user_id = p.id
       where p.initialized_at is not null and s.status in ('active', 'trialing', 'canceled')
         and s.current_period_end > ${timestamp(now)}) as "activeUsers",
      (select count(*)::int from smartpause_settings where setting = 'ON') as "smartPauseCampaigns"`.execute(
    db,
  );
  return onlyRow(result);
}

/** Bounds the work after an outage. An activity has up to 50 campaigns. */
const ROWS_READ = 500;

interface RecentActivity extends ActivityGroup {
  id: string;
  type: ActivityType;
  timestamp: Instant;
  user: string | null;
}

/** The newest activities of all users; those of one kind, user and ad account within a minute are one. */
export async function listRecentActivities(db: Db, limit: number): Promise<RecentActivity[]> {
  const { rows } = await sql<RecentActivity>`
    select max(recent.id)::text as id, type, event, message, max(detail) as detail,
      max(recent.created_at) as timestamp, users.name as user, ad_accounts.name as account,
      count(distinct campaign.id)::int as count,
      coalesce((array_agg(distinct campaign.about ->> 'name'))[:${sql.lit(NAMED_AT_MOST)}], '{}') as names
    from (select * from activities order by created_at desc, id desc limit ${ROWS_READ}) recent
    left join users on users.id = recent.user_id
    left join ad_accounts on ad_accounts.user_id = recent.user_id and ad_accounts.id = recent.account_id
    left join jsonb_each(campaigns) as campaign(id, about) on true
    group by recent.user_id, users.name, account_id, ad_accounts.name, type, event, reason, message,
      date_trunc('minute', recent.created_at), case when campaigns is null then recent.id end
    order by max(recent.created_at) desc, max(recent.id) desc limit ${limit}`.execute(db);
  return rows;
}
