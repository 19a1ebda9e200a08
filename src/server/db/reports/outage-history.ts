import { sql } from 'kysely';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import { NOT_PAUSED_REASONS, keptSpending } from '#core/smartpause/not-paused.ts';
import type { EndReason } from '#core/smartpause/release-labels.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Outage, OutageResult } from '#core/smartpause/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, timestamp } from '../database.ts';
import type { OutageRecord } from '../status/outage-users.ts';
import { recordsOf } from '../status/outage-users.ts';

/** An outage as one user met it. */
export interface UserOutage extends Outage {
  id: string;
  /** The next outage began; null: this is the last one. Holds from before belong to this outage. */
  until: Instant | null;
  /** The threshold of the record or of the user's pauses; null: there is neither. */
  threshold: Threshold | null;
  /** For all campaigns alike; null: something was paused, or see each campaign. */
  reason: NotPausedReason | null;
  paused: number;
  resumed: number;
  stillPaused: number;
  notResumed: number;
  /** Campaigns with a hold whose pause was never confirmed, and those of the record. */
  notPaused: number;
  lastPausedAt: Instant | null;
  /** What Meta's status page said, in its order: 'Ads Delivery: High disruptions'. */
  messages: string[];
}

interface OutageQuery {
  userId: string;
  /** Not earlier than this. */
  since: Instant;
  /** Only this outage. */
  id?: string | undefined;
  /** Only outages before this one. */
  before?: string | undefined;
  accountId?: string | undefined;
  limit: number;
}

/** The outages since the user's sign-up, newest first. */
export async function findUserOutages(
  db: Db,
  live: readonly OutageRecord[],
  query: OutageQuery,
): Promise<UserOutage[]> {
  const { userId, since, id = null, before = null, accountId = null, limit } = query;
  const { rows } = await sql<UserOutage>`
    with period as (select *, lead(started_at) over (order by id) as until from outages)
    select o.id, o.started_at, o.ended_at, o.until, o.peak, o.levels,
      coalesce(r.threshold, h.threshold) as threshold,
      case when r.user_id is not null then r.reason when u.initialized_at <= coalesce(o.ended_at, 'infinity')
        then case when h.paused = 0 then 'not_recorded' end else 'not_set_up' end as reason,
      h.paused, h.resumed, h."stillPaused", h."notResumed", h."lastPausedAt",
      h.unconfirmed + n.count as "notPaused", coalesce(said.messages, '{}') as messages
    from period o
    join users u on u.id = ${userId} and coalesce(o.ended_at, 'infinity') >= u.created_at
    left join ${recordsOf(userId, live)} r on r.outage_id = o.id
    cross join lateral (
      select count(*) filter (where paused_at is not null)::int as paused,
        count(*) filter (where ${result} = 'resumed')::int as resumed,
        count(*) filter (where ${result} = 'paused')::int as "stillPaused",
        count(*) filter (where ${result} = 'not_resumed')::int as "notResumed",
        count(*) filter (where paused_at is null)::int as unconfirmed,
        max(paused_at) as "lastPausedAt", (array_agg(threshold order by id))[1] as threshold
      from (
        select distinct on (campaign_id collate "C") id, ${pausedInOutage} as paused_at, threshold, state, outcome
        from holds
        where user_id = u.id and test_until is null and decided_at >= o.started_at and decided_at < coalesce(o.until, 'infinity')
          and (${accountId}::text is null or account_id = ${accountId})
        order by campaign_id collate "C", id desc) latest
    ) h
    cross join lateral (
      select count(*)::int from jsonb_object_keys(r.not_paused) as campaign_id
      where ${accountId}::text is null or exists (
        select from campaigns c where c.id = campaign_id and c.account_id = ${accountId})
    ) n
    cross join lateral (
      select array_agg(message order by s.id) as messages from status_observations s
      where true_level not in ('UP', 'UNKNOWN') and at >= o.started_at and at < coalesce(o.ended_at, 'infinity')
    ) said
    where o.started_at >= ${timestamp(since)}
      and (${id}::bigint is null or o.id = ${id}) and (${before}::bigint is null or o.id < ${before})
    order by o.id desc limit ${limit}`.execute(db);
  return rows;
}

/** A live test that an outage keeps was paused before it. */
const pausedInOutage = sql`greatest(paused_at, case when paused_at is not null then decided_at end)`;
const result = sql`(case when paused_at is null then 'not_paused' when state <> 'ended' then 'paused'
  when outcome = 'resumed' then 'resumed' else 'not_resumed' end)`;

/** A campaign with its last hold in the outage, or with the reason why it has none. */
export interface CampaignOfOutage {
  /** 'h' and the id of the hold; 'r', 'n' and the id of the campaign: it kept spending, or did not. */
  id: string;
  campaignId: string;
  name: string;
  accountId: string;
  result: OutageResult;
  reason: NotPausedReason | EndReason | null;
  lastError: string | null;
  /** Meta's own words when it refused a change for good. */
  refusal: string | null;
  decidedAt: Instant | null;
  sentAt: Instant | null;
  pausedAt: Instant | null;
  resumeSentAt: Instant | null;
  resumedAt: Instant | null;
  endedAt: Instant | null;
}

interface CampaignQuery {
  userId: string;
  outage: Pick<UserOutage, 'id' | 'startedAt' | 'until'>;
  accountId?: string | undefined;
  result?: OutageResult | undefined;
  /** A part of the name, or the id. */
  search?: string | undefined;
  /** Only campaigns after the one with this id. */
  after?: string | undefined;
  limit: number;
}

const KEPT_SPENDING = NOT_PAUSED_REASONS.filter(keptSpending);

/** The campaigns of one outage by name: those with a hold, then those that kept spending, then the others. */
export async function findCampaignsOfOutage(
  db: Db,
  live: readonly OutageRecord[],
  query: CampaignQuery,
): Promise<CampaignOfOutage[]> {
  const {
    userId,
    outage,
    accountId = null,
    result: wanted = null,
    search = null,
    after = null,
    limit,
  } = query;
  const until = sql`coalesce(${date(outage.until)}::timestamptz, 'infinity')`;
  const section = (id: unknown) => sql`strpos('hrn', left(${id}, 1))`;
  const order = sql`${section(sql`id`)}, lower(name) collate "C", id collate "C"`;
  const { rows } = await sql<CampaignOfOutage>`
    select * from (
      select 'h' || h.id as id, h.campaign_id, coalesce(c.name, h.campaign_id) as name, h.account_id, ${result} as result,
        coalesce(h.release_reason, case h.outcome when 'not_needed' then h.outcome end) as reason, h.last_error, h.refusal,
        h.decided_at, h.pause_sent_at as "sentAt", ${pausedInOutage} as "pausedAt", h.resume_sent_at,
        case when h.outcome = 'resumed' then h.ended_at end as "resumedAt", h.ended_at
      from holds h left join campaigns c on c.id = h.campaign_id
      where h.user_id = ${userId} and h.test_until is null and h.decided_at >= ${timestamp(outage.startedAt)}
        and h.decided_at < ${until}
        and not exists (select from holds later where later.user_id = h.user_id and later.campaign_id = h.campaign_id
          and later.id > h.id and later.test_until is null and later.decided_at < ${until})
      union all
      select case when n.reason = any(${KEPT_SPENDING}) then 'r' else 'n' end || c.id, c.id, c.name, c.account_id,
        'not_paused', n.reason, null, null, null, null, null, null, null, null
      from ${recordsOf(userId, live)} r
      cross join jsonb_each_text(r.not_paused) n(campaign_id, reason) join campaigns c on c.id = n.campaign_id
      where r.outage_id = ${outage.id}
    ) campaign
    where (${accountId}::text is null or account_id = ${accountId})
      and (${wanted}::text is null or result = ${wanted})
      and (${search}::text is null or campaign_id = ${search} or strpos(lower(name), lower(${search})) > 0)
      and (${after}::text is null or (${order}) > (
        select ${section(sql`${after}`)}, lower(coalesce(c.name, last.id)) collate "C", ${after} collate "C"
        from (select coalesce((select h.campaign_id from holds h where 'h' || h.id = ${after} and h.user_id = ${userId}),
          substr(${after}, 2)) as id) last left join campaigns c on c.id = last.id))
    order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/** Names and ad accounts of campaigns, by id. */
export async function findNames(
  db: Db,
  campaignIds: readonly string[],
): Promise<Map<string, { name: string; accountId: string }>> {
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'name', 'accountId'])
    .where(sql<boolean>`id = any(${[...campaignIds]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
