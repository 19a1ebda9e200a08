import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { OutageSummary } from '#contract/outage-api.ts';
import type { EventName } from '#core/events.ts';
import { SEARCHED_ID_PART } from '#core/clear-names.ts';
import type { FailureKind } from '#core/platform.ts';
import type { NotPausedReason } from '#core/outages/reasons.ts';
import { DENIED_KINDS, KEPT_SPENDING } from '#core/outages/why-not-paused.ts';
import type { EndReason, HoldFact } from '#core/outages/release-labels.ts';
import { RAN_ON, REASONS_OF_RESULT, RESULTS_OF_HOLD } from '#core/outages/release-labels.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import { LEVELS, THRESHOLDS } from '#core/smartpause/level.ts';
import type { OutsideChange } from '#core/reconciler/hold.ts';
import type { Outage, OutageResult } from '#core/outages/outage.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isOfOutage } from '../holds/paused-by-smart-pause.ts';
import type { OutageRecord } from '../status/outage-users.ts';
import { recordsOf } from '../status/outage-users.ts';

/** An outage as one user met it. */
export interface UserOutage extends Outage, Pick<OutageSummary, 'id' | 'counts' | 'lastPauseAfterMs'> {
  /** An admin has set a level in it. */
  isOverridden: boolean;
  /** What Meta's status page said without an override, in its order: 'Ads Delivery: High disruptions'. */
  messages: string[];
  /** The threshold of the user's pauses or of the record; null: there is neither. */
  threshold: Threshold | null;
  matchedAt: Instant | null;
  /** What was stored for the user when it ended; null: nothing. */
  record: { reason: NotPausedReason | null } | null;
  /** The user had completed the setup before its end. */
  wasSetUp: boolean;
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
  const accountId = query.accountId ?? null;
  const { rows } = await sql<UserOutage>`
    with ${outagesAndCampaigns(live, query)}
    select o.id, o.started_at, o.ended_at, o.peak, o.levels, met.threshold, (o.matched ->> met.threshold)::float8 as "matchedAt",
      case when r.user_id is not null then jsonb_build_object('reason', r.reason) end as record, o.was_set_up as "wasSetUp",
      c.counts, c."lastPauseAfterMs", coalesce(said.messages, '{}') as messages, coalesce(said.is_overridden, false) as "isOverridden"
    from period o
    left join record r on r.outage_id = o.id
    cross join lateral (
      select jsonb_build_object('paused', count(*) filter (where result <> 'not_paused'),
          'resumed', count(*) filter (where result = 'resumed'), 'stillPaused', count(*) filter (where result = 'paused'),
          'resumedByUser', count(*) filter (where result = 'resumed_by_user'),
          'resumedOutside', count(*) filter (where result = 'resumed_outside'),
          'beingChecked', count(*) filter (where result = 'being_checked'),
          'keptPaused', count(*) filter (where result = 'kept_paused'),
          'notResumed', count(*) filter (where result = 'not_resumed'),
          'notPaused', count(*) filter (where result = 'not_paused'),
          'keptRunning', count(*) filter (where result = 'not_paused' and ${keptRunning}),
          'heldBefore', count(*) filter (where result = 'not_paused' and reason = ${'held_before' satisfies NotPausedReason}),
          'keptRefused', count(*) filter (where result = 'not_paused' and ${keptRefused})) as counts,
        (max(extract(epoch from pause_took)) * 1000)::float8 as "lastPauseAfterMs",
        (array_agg(threshold order by decided_at) filter (where threshold is not null))[1] as threshold
      from campaign where outage_id = o.id and (${accountId}::text is null or account_id = ${accountId})
    ) c
    cross join lateral (select coalesce(r.threshold, c.threshold) as threshold) met
    cross join lateral (
      select bool_or(override_level is not null) as is_overridden,
        array_agg(message order by id) filter (where override_level is null and true_level not in ('UP', 'UNKNOWN')) as messages
      from status_observations where at >= o.started_at and at < coalesce(o.ended_at, 'infinity')
    ) said
    order by o.id desc`.execute(db);
  return rows;
}

/** When the levels of an outage first met each threshold. */
export const matched = sql<object | null>`(select jsonb_object_agg(threshold, met.at) from (
  select threshold, min(at) as at from unnest(${[...THRESHOLDS]}::text[]) threshold, jsonb_to_recordset(levels) one(level text, at float8)
  where array_position(${[...LEVELS]}::text[], level) > array_position(${[...THRESHOLDS]}::text[], threshold) group by threshold) met)`;

/** A live test that an outage keeps was paused before it. */
const pausedInOutage = sql`greatest(h.paused_at, case when h.paused_at is not null then h.decided_at end)`;

const endedFor = (result: keyof typeof REASONS_OF_RESULT) =>
  sql`h.release_reason = any(${[...REASONS_OF_RESULT[result]]})`;

/** Of the hold `h`, its campaign `c` and the user's own resume. */
const FACTS: Record<HoldFact, RawBuilder<unknown>> = {
  never_paused: sql`h.paused_at is null`,
  live: sql`h.state <> 'ended'`,
  running: sql`c.status = 'ACTIVE'`,
  seen_running: sql`h.surprise_status = 'ACTIVE'`,
  resumed: sql`h.outcome = 'resumed'`,
  resumed_later: sql`own.resumed_at is not null`,
  resumed_by_user: endedFor('resumed_by_user'),
  resumed_outside: endedFor('resumed_outside'),
  kept_paused: endedFor('kept_paused'),
};
const resultOfHold = sql`case ${sql.join(
  RESULTS_OF_HOLD.map(
    ([result, ...facts]) =>
      sql`when ${sql.join([sql`true`, ...facts.map((fact) => FACTS[fact])], sql` and `)} then ${sql.lit(result)}`,
  ),
  sql` `,
)} end`;
/** As Meta's log says, else when a read first showed it running. */
const resumedByOtherAt = sql`case when ${FACTS.live} then null when ${FACTS.resumed_outside} or ${FACTS.seen_running} then coalesce(
  to_timestamp((h.outside ->> 'at')::float8 / 1000), case when h.surprise_status = 'ACTIVE' then h.surprise_since end, h.ended_at) end`;
/** Meta has refused the pause; a live hold has no reason yet. */
const keptRefused = sql`(id like 'r%' and reason = ${'refused' satisfies NotPausedReason}
  or id like 'h%' and coalesce(reason = any(${RAN_ON}), true) and failure_kind = any(${[...DENIED_KINDS]}))`;
/** Without a pause of ours: those of the record that kept spending, and those that Meta did not let us pause. */
const keptRunning = sql`(id like 'r%' or id like 'h%' and reason = any(${RAN_ON}) or ${keptRefused})`;

/**
 * Tables of a statement: `record`, `period` with the outages, `own_change` with the times of the user's changes of each
 * campaign, and `campaign` with each campaign of the user in each of the outages: with its last hold, or with the
 * reason why it has none. Holds from before the next outage belong to an outage.
 */
function outagesAndCampaigns(live: readonly OutageRecord[], query: Omit<OutageQuery, 'accountId'>) {
  const { userId, since, id = null, before = null, limit } = query;
  return sql`record as (select * from ${recordsOf(userId, live)} r),
    period as (
      select o.*, ${matched} as matched, coalesce(u.initialized_at <= coalesce(o.ended_at, 'infinity'), false) as was_set_up
      from (select *, coalesce(lead(started_at) over (order by id), 'infinity') as until from outages) o
      join users u on u.id = ${userId} and coalesce(o.ended_at, 'infinity') >= u.created_at
      where o.started_at >= ${timestamp(since)}
        and (${id}::bigint is null or o.id = ${id}) and (${before}::bigint is null or o.id < ${before})
      order by o.id desc limit ${limit}
    ),
    own_change as (
      select c.id as campaign_id, array_agg(created_at) as times, array_agg(created_at) filter (where event = ${'manual_resume' satisfies EventName}) as resumes
      from activities, jsonb_object_keys(campaigns) as c(id)
      where user_id = ${userId} and event = any(${['smartpause', 'smartpause_on_new', 'manual_resume', 'taken_over'] satisfies EventName[]})
      group by c.id
    ),
    campaign as (
      (select distinct on (o.id, h.campaign_id collate "C") o.id as outage_id, 'h' || h.campaign_id as id, h.campaign_id,
        coalesce(c.name, h.campaign_id) as name, h.account_id,
        ${resultOfHold} as result,
        coalesce(h.release_reason, case h.outcome when 'not_needed' then h.outcome end) as reason, h.failure_kind, h.refusal,
        h.decided_at, h.pause_sent_at, ${pausedInOutage} as paused_at, h.resume_sent_at,
        case when h.outcome = 'resumed' or h.release_reason = 'resumed_now' and h.paused_at is not null then h.ended_at else coalesce(own.resumed_at, ${resumedByOtherAt}) end as resumed_at,
        h.ended_at, h.threshold, h.outside, h.postponed_until,
        min(${pausedInOutage} - greatest(able.at, to_timestamp((o.matched ->> h.threshold)::float8 / 1000)))
          over (partition by o.id, h.campaign_id) as pause_took
      from period o
      join holds h on h.user_id = ${userId} and ${isOfOutage('h')} and h.decided_at >= o.started_at and h.decided_at < o.until
      left join campaigns c on c.id = h.campaign_id
      left join own_change on own_change.campaign_id = h.campaign_id
      left join lateral (${ownResume}) own on h.release_reason in ('smartpause_off', 'manual_pause')
      cross join lateral (${ableSince}) able
      order by o.id, h.campaign_id collate "C", h.id desc)
      union all
      select r.outage_id, case when n.reason = any(${KEPT_SPENDING}) then 'r' else 'n' end || c.id, c.id, c.name, c.account_id,
        'not_paused', n.reason, null, null, null, null, null, null, null, null, null, null, null, null
      from period o join record r on r.outage_id = o.id
      cross join jsonb_each_text(r.not_paused) n(campaign_id, reason) join campaigns c on c.id = n.campaign_id
    )`;
}

/** The user chose 'Resume now', or resumed the campaign later. */
const ownResume = sql`select min(at) as resumed_at from unnest(own_change.resumes) as resume(at)
  where at >= h.ended_at and at < o.until`;

const changed = sql`c.changed_in_ads_manager_at`;
/** Since when SmartPause could pause the campaign, if that was later than the status change. */
const ableSince = sql`select greatest(c.start_time, case when ${changed} <= h.decided_at then ${changed} end, max(change.at)) as at
  from unnest(own_change.times) as change(at) where change.at <= h.decided_at`;

/** A campaign with its last hold in the outage, or with the reason why it has none. */
export interface CampaignOfOutage {
  /** 'h' (it has a hold), 'r' (it kept spending) or 'n' (it did not), and the id of the campaign. */
  id: string;
  campaignId: string;
  name: string;
  accountId: string;
  result: OutageResult;
  reason: NotPausedReason | EndReason | null;
  failureKind: FailureKind | null;
  /** Meta's own words when it refused a change for good. */
  refusal: string | null;
  decidedAt: Instant | null;
  sentAt: Instant | null;
  pausedAt: Instant | null;
  resumeSentAt: Instant | null;
  resumedAt: Instant | null;
  endedAt: Instant | null;
  outside: OutsideChange | null;
  /** Another tool has it off until then, or shortly before. */
  postponedUntil: Instant | null;
}

interface CampaignQuery extends OutageQuery {
  result?: OutageResult | undefined;
  /** A part of the name, which may be shown with the id, or of the id. */
  search?: string | undefined;
  /** Only campaigns after the one with this id. */
  after?: string | undefined;
  /** By default by name, which takes as long as all else. */
  order?: 'none';
}

/** Orders names without case, and '4' before '14': numbers get leading zeros. Not every PostgreSQL has ICU. */
function nameOrder(name: RawBuilder<unknown>) {
  const padded = sql`regexp_replace(lower(${name}), '([0-9]+)', ${'0'.repeat(16)} || '\\1', 'g')`;
  return sql`regexp_replace(${padded}, '0*([0-9]{16})', '\\1', 'g') collate "C"`;
}

/** The campaigns of one outage by name: those with a hold, then those that kept spending, then the others. */
export async function findCampaignsOfOutage(
  db: Db,
  live: readonly OutageRecord[],
  query: CampaignQuery,
): Promise<CampaignOfOutage[]> {
  const { accountId = null, result = null, search = null, after = null, limit } = query;
  const searchesId = search !== null && search.length >= SEARCHED_ID_PART;
  const searchedId = searchesId ? sql`' (' || campaign_id || ')'` : sql`''`;
  const section = (id: unknown) => sql`strpos('hrn', left(${id}, 1))`;
  const order = sql`${section(sql`id`)}, ${nameOrder(sql`name`)}, id collate "C"`;
  const { rows } = await sql<CampaignOfOutage>`
    with ${outagesAndCampaigns(live, { ...query, limit: 1 })}
    select id, campaign_id, name, account_id, result, reason, failure_kind, refusal, decided_at, pause_sent_at as "sentAt",
      paused_at, resume_sent_at, resumed_at, ended_at, outside, postponed_until
    from campaign
    where (${accountId}::text is null or account_id = ${accountId})
      and (${result}::text is null or result = ${result})
      and (${search}::text is null or strpos(lower(name || ${searchedId}), lower(${search})) > 0)
      and (${after}::text is null or (${order}) > (
        select ${section(sql`${after}`)}, ${nameOrder(sql`coalesce(c.name, last.id)`)}, ${after} collate "C"
        from (select substr(${after}, 2) as id) last left join campaigns c on c.id = last.id))
    order by ${query.order === 'none' ? sql`id` : order} limit ${limit}`.execute(db);
  return rows;
}

/** The user's campaigns for which external changes have disabled SmartPause since then, and which could be turned on again. */
export async function findDisabledSince(
  db: Db,
  userId: string,
  since: Instant,
): Promise<{ campaignId: string; accountId: string }[]> {
  const { rows } = await sql<{ campaignId: string; accountId: string }>`
    select own.campaign_id, own.account_id from smartpause_settings own join campaigns c on c.id = own.campaign_id
    where own.user_id = ${userId} and own.setting = 'DEACTIVATED' and own.changed_at >= ${timestamp(since)}
      and c.is_listed and c.status in ('ACTIVE', 'PAUSED') order by own.campaign_id`.execute(db);
  return rows;
}
