import { sql } from 'kysely';
import { WITH_SHARED_DETAIL } from '#core/events.ts';
import type { ActivityGroup } from '#core/outages/activity-text.ts';
import { NAMED_AT_MOST } from '#core/outages/activity-text.ts';
import type { Instant } from '#core/time.ts';
import { detailOfCampaign } from '../activities.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isOfOutage } from '../holds/paused-by-smart-pause.ts';
import type { Actor } from '../column-types.ts';

export interface UserActivity extends ActivityGroup {
  id: string;
  at: Instant;
  actor: Actor;
  event: string;
  facts: unknown;
  /** The first of its campaigns; null: it is about none. */
  campaignId: string | null;
  /** Of the holds that it is about; null: it is about none, or about a test. */
  outageId: string | null;
}

interface Query {
  userId: string;
  since: Instant;
  /** Only activities before this one. */
  before: string | undefined;
  accountId: string | undefined;
  /** A part of a campaign's name; the others of an activity are left out. */
  search: string | undefined;
  limit: number;
}

/** All activities of the user, newest first. */
export async function findUserActivities(db: Db, query: Query): Promise<UserActivity[]> {
  const { userId, since, before = null, accountId = null, search = null, limit } = query;
  const found = sql`jsonb_each(campaigns) as c(id, about)
    where ${search}::text is null or strpos(lower(about ->> 'name'), lower(${search})) > 0`;
  const { rows } = await sql<UserActivity>`
    select act.id, act.created_at as at, act.actor, act.event, act.facts, act.message,
      act.event = any(${WITH_SHARED_DETAIL}) as "sharesDetail", a.name as account, c.*,
      (select max(o.id) from outages o join holds h on h.id = c."holdId" and ${isOfOutage('h')} and o.started_at <= h.decided_at) as "outageId"
    from (
      select * from activities where user_id = ${userId} and created_at >= ${timestamp(since)}
        and (${before}::bigint is null or id < ${before}) and (${accountId}::text is null or account_id = ${accountId})
        and (${search}::text is null or exists (select from ${found}))
      order by id desc limit ${limit}
    ) act
    left join ad_accounts a on a.user_id = act.user_id and a.id = act.account_id
    cross join lateral (select count(*)::int as count, min(id) as "campaignId", min((about ->> 'holdId')::bigint) as "holdId", coalesce(min(${detailOfCampaign}), act.detail) as detail,
      coalesce((array_agg(about ->> 'name' order by about ->> 'name'))[:${sql.lit(NAMED_AT_MOST)}], '{}') as names from ${found}) c
    order by act.id desc`.execute(db);
  return rows;
}
