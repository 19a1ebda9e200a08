import { sql } from 'kysely';
import type { AdminStats } from '#contract/admin-overview.ts';
import type { ActivityGroup } from '#core/outages/activity-text.ts';
import { WITH_SHARED_DETAIL } from '#core/events.ts';
import { NAMED_AT_MOST } from '#core/outages/activity-text.ts';
import type { Instant } from '#core/time.ts';
import { isSubscribed } from '../billing/subscriptions.ts';
import type { Db } from '../database.ts';
import { onlyRow, timestamp } from '../database.ts';

export async function readStatistics(db: Db, now: Instant): Promise<AdminStats> {
  const result = await sql<AdminStats>`
    select (select count(*)::int from users) as "totalUsers",
      (select count(*)::int from users p
       where p.initialized_at is not null and ${isSubscribed(sql`p.id`, timestamp(now))}) as "activeUsers",
      (select count(*)::int from smartpause_settings where setting = 'ON') as "smartPauseCampaigns"`.execute(
    db,
  );
  return onlyRow(result);
}

/** Bounds the work after an outage. An activity has up to 50 campaigns. */
const ROWS_READ = 500;

interface RecentActivity extends ActivityGroup {
  id: string;
  event: string;
  /** Of one of them. */
  facts: unknown;
  timestamp: Instant;
  user: string | null;
}

/**
 * The newest activities of all users. Those of one kind within a minute are one, unless the user's ad account had
 * another one between them.
 */
export async function listRecentActivities(db: Db, limit: number): Promise<RecentActivity[]> {
  const before = sql`over (partition by user_id, account_id order by created_at, id)`;
  const { rows } = await sql<RecentActivity>`
    with newest as (
      select *, event = any(${WITH_SHARED_DETAIL}) as shares_detail from activities order by created_at desc, id desc limit ${ROWS_READ}
    ), kinds as (
      select *, jsonb_build_array(event, facts -> 'reason', message, case when shares_detail then detail end,
        date_trunc('minute', created_at), case when campaigns is null then id end) as kind from newest
    ), marked as (select *, kind is distinct from lag(kind) ${before} as is_first from kinds
    ), recent as (select *, count(*) filter (where is_first) ${before} as run from marked)
    select max(recent.id)::text as id, event, min(facts::text)::jsonb as facts, message, max(detail) as detail, shares_detail as "sharesDetail",
      max(recent.created_at) as timestamp, users.name as user, ad_accounts.name as account,
      count(distinct campaign.id)::int as count,
      coalesce((array_agg(distinct campaign.about ->> 'name'))[:${sql.lit(NAMED_AT_MOST)}], '{}') as names
    from recent
    left join users on users.id = recent.user_id
    left join ad_accounts on ad_accounts.user_id = recent.user_id and ad_accounts.id = recent.account_id
    left join jsonb_each(campaigns) as campaign(id, about) on true
    group by recent.user_id, users.name, account_id, ad_accounts.name, run, event, message, shares_detail
    order by max(recent.created_at) desc, max(recent.id) desc limit ${limit}`.execute(db);
  return rows;
}
