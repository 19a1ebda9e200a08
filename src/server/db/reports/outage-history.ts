import { sql } from 'kysely';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { Outage, OutageResult } from '#core/smartpause/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';

/** An outage as one user met it. */
export interface UserOutage extends Outage {
  id: string;
  /** The next outage began; null: this is the last one. Holds from before belong to this outage. */
  until: Instant | null;
  /** Why its campaigns were not paused is stored. */
  record: { threshold: Threshold; reason: NotPausedReason | null } | null;
  /** The record is still to be written: the outage is open or has just ended. */
  isPending: boolean;
  isSetUp: boolean;
  paused: number;
  resumed: number;
  stillPaused: number;
  notResumed: number;
  /** Campaigns with a hold whose pause was never confirmed, and those of the record. */
  notPaused: number;
  lastPausedAt: Instant | null;
  /** The threshold that the user's pauses were decided with; null: there is none. */
  pausedThreshold: Threshold | null;
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
export async function findUserOutages(db: Db, query: OutageQuery): Promise<UserOutage[]> {
  const { userId, since, id = null, before = null, accountId = null, limit } = query;
  type Row = Omit<UserOutage, 'record'> & { threshold: Threshold | null; reason: NotPausedReason | null };
  const { rows } = await sql<Row>`
    with period as (select *, lead(started_at) over (order by id) as until from outages)
    select o.id, o.started_at, o.ended_at, o.until, o.peak, o.levels,
      o.recorded_at is null as "isPending", ou.threshold, ou.reason,
      coalesce(u.initialized_at <= coalesce(o.ended_at, 'infinity'), false) as "isSetUp",
      h.paused, h.resumed, h."stillPaused", h."notResumed", h."lastPausedAt", h."pausedThreshold",
      h.unconfirmed + n.count as "notPaused"
    from period o
    join users u on u.id = ${userId} and coalesce(o.ended_at, 'infinity') >= u.created_at
    left join outage_users ou on ou.outage_id = o.id and ou.user_id = u.id
    cross join lateral (
      select count(*) filter (where paused_at is not null)::int as paused,
        count(*) filter (where ${result} = 'resumed')::int as resumed,
        count(*) filter (where ${result} = 'paused')::int as "stillPaused",
        count(*) filter (where ${result} = 'not_resumed')::int as "notResumed",
        count(*) filter (where paused_at is null)::int as unconfirmed,
        max(paused_at) as "lastPausedAt", (array_agg(threshold order by id))[1] as "pausedThreshold"
      from (
        select distinct on (campaign_id collate "C") id, ${pausedInOutage} as paused_at, threshold, state, outcome
        from holds
        where user_id = u.id and test_until is null and decided_at >= o.started_at and decided_at < coalesce(o.until, 'infinity')
          and (${accountId}::text is null or account_id = ${accountId})
        order by campaign_id collate "C", id desc) latest
    ) h
    cross join lateral (
      select count(*)::int from jsonb_object_keys(ou.not_paused) as campaign_id
      where ${accountId}::text is null or exists (
        select from campaigns c where c.id = campaign_id and c.account_id = ${accountId})
    ) n
    where o.started_at >= ${timestamp(since)}
      and (${id}::bigint is null or o.id = ${id}) and (${before}::bigint is null or o.id < ${before})
    order by o.id desc limit ${limit}`.execute(db);
  return rows.map(({ threshold, reason, ...row }) => ({
    ...row,
    record: threshold === null ? null : { threshold, reason },
  }));
}

/** A live test that an outage keeps was paused before it. */
const pausedInOutage = sql`greatest(paused_at, case when paused_at is not null then decided_at end)`;
const result = sql`(case when paused_at is null then 'not_paused' when state <> 'ended' then 'paused'
  when outcome = 'resumed' then 'resumed' else 'not_resumed' end)`;

export interface HoldOfOutage {
  id: string;
  campaignId: string;
  name: string;
  accountId: string;
  result: OutageResult;
  reason: string | null;
  lastError: string | null;
  /** Meta's own words when it refused a change for good. */
  refusal: string | null;
  decidedAt: Instant;
  sentAt: Instant | null;
  pausedAt: Instant | null;
  resumeSentAt: Instant | null;
  resumedAt: Instant | null;
  endedAt: Instant | null;
}

/** What an outage's campaigns are filtered by. */
export interface CampaignFilter {
  accountId?: string | undefined;
  result?: OutageResult | undefined;
  /** A part of the name, or the id. */
  search?: string | undefined;
}

interface HoldQuery {
  userId: string;
  outage: Pick<UserOutage, 'startedAt' | 'until'>;
  /** Only holds after this one. */
  after: string | null;
  filter: CampaignFilter;
  limit: number;
}

/** The user's last hold of each campaign in one outage, by the names of the campaigns. */
export async function findHoldsOfOutage(db: Db, query: HoldQuery): Promise<HoldOfOutage[]> {
  const { userId, outage, after, limit, filter } = query;
  const { accountId = null, result: wanted = null, search = null } = filter;
  const name = sql`coalesce(c.name, h.campaign_id)`;
  const order = sql`lower(${name}) collate "C", h.id`;
  const until = sql`${outage.until === null ? 'infinity' : new Date(outage.until)}::timestamptz`;
  const { rows } = await sql<HoldOfOutage>`
    select h.id, h.campaign_id, ${name} as name, h.account_id,
      ${result} as result, coalesce(h.release_reason, case h.outcome when 'not_needed' then h.outcome end) as reason,
      h.last_error, h.refusal, h.decided_at as "decidedAt", h.pause_sent_at as "sentAt", ${pausedInOutage} as "pausedAt",
      h.resume_sent_at, case when h.outcome = 'resumed' then h.ended_at end as "resumedAt", h.ended_at
    from holds h left join campaigns c on c.id = h.campaign_id
    where h.user_id = ${userId} and h.test_until is null and h.decided_at >= ${timestamp(outage.startedAt)}
      and h.decided_at < ${until}
      and not exists (select from holds later where later.user_id = h.user_id and later.campaign_id = h.campaign_id
        and later.id > h.id and later.test_until is null and later.decided_at < ${until})
      and (${accountId}::text is null or h.account_id = ${accountId})
      and (${wanted}::text is null or ${result} = ${wanted})
      and (${search}::text is null or h.campaign_id = ${search} or strpos(lower(${name}), lower(${search})) > 0)
      and (${after}::bigint is null or (${order}) > (
        select ${order} from holds h left join campaigns c on c.id = h.campaign_id where h.id = ${after}))
    order by ${order} limit ${limit}`.execute(db);
  return rows;
}

/** The campaigns of an outage's record that were not paused. */
export async function findRecordedReasons(
  db: Db,
  { userId, outageId }: { userId: string; outageId: string },
): Promise<Record<string, NotPausedReason>> {
  const row = await db
    .selectFrom('outageUsers')
    .select('notPaused')
    .where('userId', '=', userId)
    .where('outageId', '=', outageId)
    .executeTakeFirst();
  return row?.notPaused ?? {};
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

/** What Meta's status page said in the span, in its order: 'Ads Delivery: High disruptions'. */
export async function findMessages(
  db: Db,
  span: { from: Instant; to: Instant | null },
): Promise<{ at: Instant; message: string; level: KnownLevel }[]> {
  const to = span.to === null ? 'infinity' : new Date(span.to);
  const { rows } = await sql<{ at: Instant; message: string; level: KnownLevel }>`
    select at, message, true_level as level from status_observations
    where true_level not in ('UP', 'UNKNOWN') and at >= ${timestamp(span.from)} and at < ${to}::timestamptz
    order by id`.execute(db);
  return rows;
}
