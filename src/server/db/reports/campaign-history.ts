import { sql } from 'kysely';
import type { NotPausedReason } from '#core/smartpause/not-paused.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import type { Actor } from '../schema.ts';

export interface CampaignActivity {
  id: string;
  at: Instant;
  actor: Actor;
  event: string;
  message: string;
  /** Of the hold that the activity reports about; null: it reports about none. */
  outageId: string | null;
  hold: UnpausedHold | null;
}

/** A hold whose pause Meta never confirmed. */
export interface UnpausedHold {
  release: string | null;
  lastError: string | null;
}

interface Query {
  userId: string;
  campaignId: string;
  since: Instant;
  /** Up to this time. */
  until: Instant;
  limit: number;
}

/** The user's activities about the campaign, and changes of the settings that apply to it. Newest first. */
export async function findCampaignActivities(db: Db, query: Query): Promise<CampaignActivity[]> {
  const { userId, campaignId, since, until, limit } = query;
  const span = sql`user_id = ${userId} and created_at >= ${timestamp(since)} and created_at <= ${timestamp(until)}`;
  const { rows } = await sql<CampaignActivity>`
    select act.id, act.created_at as at, act.actor, act.event, act.message,
      (select max(o.id) from outages o where o.started_at <= h.decided_at and h.test_until is null) as "outageId",
      case when h.paused_at is null and h.id is not null then
        jsonb_build_object('release', coalesce(h.release_reason, h.outcome), 'lastError', h.last_error) end as hold
    from (
      (select * from activities where ${span} and campaign_id = ${campaignId} order by created_at desc, id desc limit ${limit})
      union all
      (select * from activities where ${span} and campaign_id is null and event = 'settings' order by created_at desc, id desc limit ${limit})
    ) act
    left join holds h on h.id = act.hold_id
    order by act.created_at desc, act.id desc limit ${limit}`.execute(db);
  return rows;
}

export interface RecordedReason {
  outageId: string;
  startedAt: Instant;
  reason: NotPausedReason;
}

/** The outages in which the campaign was not paused, with the reason. Newest first. */
export async function findReasonsOf(db: Db, query: Query): Promise<RecordedReason[]> {
  const { userId, campaignId, since, until, limit } = query;
  const { rows } = await sql<RecordedReason>`
    select o.id as "outageId", o.started_at,
      coalesce(ou.reason, ou.not_paused ->> ${campaignId}) as reason
    from outage_users ou join outages o on o.id = ou.outage_id
    where ou.user_id = ${userId} and (ou.reason is not null or ou.not_paused ? ${campaignId})
      and o.started_at >= ${timestamp(since)} and o.started_at <= ${timestamp(until)}
    order by o.started_at desc limit ${limit}`.execute(db);
  return rows;
}

export interface ReportlessHold extends UnpausedHold {
  id: string;
  at: Instant;
  outageId: string | null;
  isEnded: boolean;
}

/** Holds of the campaign whose pause Meta refused or never answered, and which no activity reports. Newest first. */
export async function findUnpausedHolds(db: Db, query: Query): Promise<ReportlessHold[]> {
  const { userId, campaignId, since, until, limit } = query;
  const { rows } = await sql<ReportlessHold>`
    select h.id, h.state = 'ended' as "isEnded", h.decided_at as at, coalesce(h.release_reason, h.outcome) as release, h.last_error,
      (select max(o.id) from outages o where o.started_at <= h.decided_at) as "outageId"
    from holds h where h.user_id = ${userId} and h.campaign_id = ${campaignId} and h.paused_at is null
      and h.test_until is null
      and (h.state = 'ended' or h.last_error is not null)
      and h.decided_at >= ${timestamp(since)} and h.decided_at <= ${timestamp(until)}
      and not exists (select from activities a where a.hold_id = h.id and a.event in ('paused', 'released', 'deactivated', 'refused'))
    order by h.decided_at desc, h.id desc limit ${limit}`.execute(db);
  return rows;
}
