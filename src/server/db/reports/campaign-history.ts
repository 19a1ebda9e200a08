import { sql } from 'kysely';
import type { EventName } from '#core/events.ts';
import type { FailureKind } from '#core/platform.ts';
import type { ActivityWords } from '#core/outages/activity-text.ts';
import type { NotPausedReason } from '#core/outages/reasons.ts';
import { REFUSED_KINDS } from '#core/outages/why-not-paused.ts';
import type { EndReason } from '#core/outages/release-labels.ts';
import type { Instant } from '#core/time.ts';
import { detailOfCampaign, factsOfCampaign } from '../activities.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isOfOutage } from '../holds/paused-by-smart-pause.ts';
import type { Actor } from '../column-types.ts';
import type { OutageRecord } from '../status/outage-users.ts';
import { recordsOf } from '../status/outage-users.ts';

/** Entries of one moment are in the order of `source` and `no`. */
export interface Position {
  at: Instant;
  /** An activity, a hold without an activity, the reason of an outage's record, or a change that a read has shown. */
  source: 'a' | 'h' | 'o' | 'c';
  no: string;
}

export interface CampaignEntry extends Position {
  outageId: string | null;
  activity: (ActivityWords & { actor: Actor; event: string; facts: unknown }) | null;
  /** The hold of the entry, if Meta never confirmed its pause. */
  unpaused: { release: EndReason | null; failureKind: FailureKind | null } | null;
  reason: NotPausedReason | null;
  /** The last change of its status that is not ours, as far as no activity tells it. */
  seen: { status: string; isHeld: boolean } | null;
}

/** The end of a hold without a resume of ours. */
export const ENDS: readonly EventName[] = ['released', 'deactivated', 'refused'];

interface Query {
  userId: string;
  accountId: string;
  campaignId: string;
  since: Instant;
  /** Only entries that are older than this one. */
  before: Position | null;
  limit: number;
}

/** As long as no activity reports it, and the campaign has had the status since: a write of ours sets `seen_at`, too. */
const lastChangeSeen = (campaignId: string) => sql`
  select change.at, 'c', 0, null::bigint, null::jsonb, null::jsonb, null, jsonb_build_object('status', c.status, 'isHeld', h.id is not null)
  from campaigns c left join holds h on h.campaign_id = c.id and h.state <> 'ended' and h.test_until is null and h.paused_at is not null
  cross join lateral (select greatest(case when c.seen_at = c.changed_in_ads_manager_at then c.seen_at end,
    case when h.surprise_status = c.status then h.surprise_since end) as at) change
  where c.id = ${campaignId} and (h.id is null or c.status <> 'PAUSED')
    and not exists (select from own a where a.created_at >= change.at and a.event = any(${['released', 'deactivated', 'taken_back'] satisfies EventName[]}))
    and not exists (select from campaign_writes w where w.campaign_id = c.id and w.confirmed_at > change.at)`;

/**
 * What happened to one campaign of the user, newest first: activities about it and changes of settings that apply to
 * it, a block of all changes, outages in which it was not paused, and holds whose pause Meta refused or never answered.
 */
export async function findCampaignEntries(
  db: Db,
  live: readonly OutageRecord[],
  { userId, accountId, campaignId, since, before, limit }: Query,
): Promise<CampaignEntry[]> {
  const unpaused = sql`case when h.paused_at is null and h.id is not null then jsonb_build_object(
    'release', coalesce(h.release_reason, case h.outcome when 'not_needed' then h.outcome end), 'failureKind', h.failure_kind) end`;
  // It names the campaigns that were tried, and is about all with SmartPause on, or a pause of ours.
  const blocked = sql`account_id = ${accountId} and event = ${'account_blocked' satisfies EventName} and (
    exists (select from smartpause_settings sp where sp.user_id = ${userId} and sp.campaign_id = ${campaignId} and sp.setting = 'ON' and sp.changed_at <= act.created_at)
    or exists (select from holds h where h.user_id = ${userId} and h.campaign_id = ${campaignId} and h.decided_at <= act.created_at
      and coalesce(h.ended_at > act.created_at, true)))`;
  const outageId = sql`(select max(o.id) from outages o where o.started_at <= h.decided_at and ${isOfOutage('h')})`;
  const { rows } = await sql<CampaignEntry>`
    with own as (select act.id, created_at, actor, event, message, ${factsOfCampaign} as facts, ${detailOfCampaign} as detail, (c.about ->> 'holdId')::bigint as hold_id
      from activities act cross join lateral (select campaigns -> ${campaignId}::text as about) c
      where user_id = ${userId} and (account_id = ${accountId} and campaigns ? ${campaignId} or account_id is null and event = ${'settings' satisfies EventName}
        or ${blocked}))
    select * from (
      select act.created_at as at, 'a' as source, act.id as no, ${outageId} as "outageId",
        jsonb_build_object('actor', act.actor, 'event', act.event, 'facts', act.facts, 'message', act.message, 'detail', act.detail) as activity,
        ${unpaused} as unpaused, null as reason, null::jsonb as seen
      from own act left join holds h on h.id = act.hold_id
      union all
      select h.decided_at, 'h', h.id, ${outageId}, null, ${unpaused}, null, null
      from holds h
      where h.user_id = ${userId} and h.campaign_id = ${campaignId} and h.paused_at is null and h.test_until is null
        and (h.state = 'ended' or h.failure_kind = any(${REFUSED_KINDS})) and not exists (select from own a
          where a.hold_id = h.id and a.event = any(${[...ENDS, 'paused', 'retrying', 'postponed'] satisfies EventName[]}))
      union all
      select o.started_at, 'o', o.id, o.id, null, null, coalesce(r.reason, r.not_paused ->> ${campaignId}), null
      from ${recordsOf(userId, live)} r join outages o on o.id = r.outage_id
      where r.reason is not null or r.not_paused ? ${campaignId}
      union all
      ${lastChangeSeen(campaignId)}
    ) entry
    where at >= ${timestamp(since)} and (${before === null} or (date_trunc('milliseconds', at), source, no)
      < (${timestamp(before?.at ?? 0)}, ${before?.source ?? ''}, ${before?.no ?? 0}::bigint))
    order by date_trunc('milliseconds', at) desc, source desc, no desc limit ${limit}`.execute(db);
  return rows;
}
