import { sql } from 'kysely';
import { z } from 'zod';
import type { ActivityEvent } from '#core/events.ts';
import { readEvent } from '#core/events.ts';
import type { NotificationKind } from '#core/notifications.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import type { ActivityWords } from '#core/outages/activity-text.ts';
import type { EndReason } from '#core/outages/release-labels.ts';
import { END_REASONS } from '#core/outages/release-labels.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { Cause } from '#core/smartpause/signals.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { detailOfCampaign, factsOfCampaign } from '../activities.ts';
import type { Db } from '../database.ts';
import { rowsOf, timestamp } from '../database.ts';
import { timeZoneOf } from '../ad-accounts.ts';
import { areWritesBlocked } from '../blocked-writes.ts';
import { holdsBeingSent } from '../work-items.ts';
import { isPausedBySmartPause, pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** A campaign in a notification. */
export interface NamedCampaign {
  campaignId: string;
  name: string;
  accountId: string | null;
  account: string;
  /** When it happened. */
  at: Instant;
}

/** An activity that no notification reports yet, with the state of its campaign now. */
export interface PendingActivity extends NamedCampaign, ActivityWords {
  id: string;
  happened: ActivityEvent;
  pausedAt: Instant | null;
  /** Why it was paused; null: it was not, or the hold is for another user now. */
  cause: {
    decidedAt: Instant;
    threshold: Threshold;
    level: KnownLevel;
    isOverride: boolean;
    by?: Cause;
  } | null;
  /** The end of this activity's hold; `reason` null: resumed. Null: the hold is live. */
  end: { reason: EndReason | null; at: Instant } | null;
  /** The hold is live, for another user. */
  isHandedOver: boolean;
  /** "Paused by SmartPause" applies now, and no user has asked for the resume. */
  isHeld: boolean;
  /** A user has asked for it; Meta has not confirmed it yet. */
  isResumeAsked: boolean;
  /** SmartPause is on for the campaign now. */
  isOn: boolean;
  /** Another tool has it off at certain hours, which a resume waits for. */
  hasSchedule: boolean;
  /** Per day, in Meta's unit of the currency; null: the budget is kept elsewhere. */
  dailyBudget: number | null;
  /** Of the ad account, as is its time zone. */
  currency: string | null;
  timeZone: string | null;
  /** Meta accepts the user's token and allows access to the ad account. */
  isReachable: boolean;
  /** Meta refuses changes in the ad account until the user confirms it. */
  isBlocked: boolean;
}

/** An activity of another version, or whose campaign's hold such a version has ended. */
export type UnreadActivity = Pick<PendingActivity, 'id' | 'at'> & { event: string };

/** `a` is the user's row of the ad account, from a left join. */
const isAccountLost = sql<boolean>`(a.id is null or a.lost_at is not null)`;
/** Meta accepts the user's token and allows access to the ad account `a`. */
const isReachable = sql<boolean>`(not ${isAccountLost} and exists (
  select from platform_tokens t where t.user_id = a.user_id and t.rejected_at is null))`;

const endReason = z.enum(END_REASONS).nullable();

interface PendingActivities {
  acts: PendingActivity[];
  unread: UnreadActivity[];
}

type PendingRow = Omit<PendingActivity, 'happened' | 'cause' | 'end'> &
  NonNullable<PendingActivity['cause']> & {
    userId: string;
    event: string;
    facts: unknown;
    isOwn: boolean | null;
    endAt: Instant | null;
    endReason: string | null;
  };

/**
 * The users' activities of these kinds that no notification reports yet, oldest first, by user. One of which only some
 * campaigns are read is in both lists.
 */
export async function findPendingActivities(
  db: Db,
  wanted: readonly { userId: string; kinds: readonly NotificationKind[] }[],
  now: Instant,
): Promise<Map<string, PendingActivities>> {
  const pairs = wanted.flatMap(({ userId, kinds }) => kinds.map((kind) => ({ userId, kind })));
  const { rows } = await sql<PendingRow>`
    select one.* from ${rowsOf({ userId: 'bigint', kind: 'text' }, pairs)} cross join lateral (
    select act.user_id, act.id, coalesce(c.id, '') as "campaignId", act.account_id,
      coalesce(c.about ->> 'name', '') as name, coalesce(a.name, act.account_id, '') as account, act.event,
      ${factsOfCampaign} as facts, act.message, ${detailOfCampaign} as detail, act.created_at as at, h.paused_at, h.decided_at, h.threshold, h.level, h.is_override, h.cause as by,
      h.user_id = act.user_id as "isOwn", h.ended_at as "endAt",
      case when h.outcome <> 'resumed' then coalesce(h.release_reason, h.outcome) end as "endReason",
      coalesce(h.user_id <> act.user_id and h.state <> 'ended', false) as "isHandedOver",
      own.setting is not distinct from 'ON' as "isOn",
      known.other_schedule is not null as "hasSchedule",
      known.daily_budget::float8 as "dailyBudget", a.currency, ${timeZoneOf('act.account_id')} as time_zone, held.campaign_id is not null and h.resume_asked_at is null as "isHeld",
      coalesce(h.resume_asked_at is not null and h.state <> 'ended', false) as "isResumeAsked",
      ${isReachable} as "isReachable", ${areWritesBlocked(now)} as "isBlocked"
    from activities act
    left join jsonb_each(act.campaigns) as c(id, about) on true
    left join lateral (select * from holds where id = (c.about ->> 'holdId')::bigint offset 0) h on true
    left join campaigns known on known.id = c.id
    left join smartpause_settings own on own.user_id = act.user_id and own.campaign_id = c.id
    left join (select holds.campaign_id ${pausedHolds} and holds.user_id = given.user_id) held on held.campaign_id = c.id
    left join ad_accounts a on a.user_id = act.user_id and a.id = act.account_id
    where act.user_id = given.user_id and act.pending_notification = given.kind offset 0) one
    order by one.at, one.id, one."campaignId"`.execute(db);
  return new Map(
    [...Map.groupBy(rows, ({ userId }) => userId)].map(([userId, own]) => [userId, toPending(own)]),
  );
}

function toPending(rows: readonly PendingRow[]): PendingActivities {
  const unread = new Map<string, UnreadActivity>();
  const acts = rows.flatMap((row) => {
    const { event, facts, endAt, endReason: ended, ...known } = row;
    const { isOwn, decidedAt, threshold, level, isOverride, by = 'status', ...now } = known;
    const happened = readEvent(event, facts);
    const reason = endReason.safeParse(ended);
    if (happened === null || !reason.success) {
      unread.set(row.id, row);
      return [];
    }
    const cause = isOwn === true ? { decidedAt, threshold, level, isOverride, by } : null;
    const end = endAt === null ? null : { reason: reason.data, at: endAt };
    return [{ ...now, happened, cause, end }];
  });
  return { acts, unread: [...unread.values()] };
}

export interface HeldCampaign extends NamedCampaign {
  accountId: string;
  threshold: Threshold;
  by?: Cause;
  decidedAt: Instant;
  /** Of the ad account. */
  timeZone: string | null;
  /** A resume is sent or asked for. */
  isResuming: boolean;
  /** Of that resume, in Meta's own words. */
  refusal: string | null;
  /** Its resume is due, and another tool has the campaign off. */
  postponedUntil: Instant | null;
  /** The hours in which another tool has it off; null: none are known. */
  schedule: OtherSchedule | null;
  isAccountLost: boolean;
  isReachable: boolean;
  isBlocked: boolean;
}

/** The users' campaigns that SmartPause has paused, in the order of these decisions, by user. */
export async function findHeld(
  db: Db,
  userIds: readonly string[],
  now: Instant,
): Promise<Map<string, HeldCampaign[]>> {
  const wanted = userIds.map((userId) => ({ userId }));
  const { rows } = await sql<HeldCampaign & { userId: string; holdId: string }>`
    select one.* from ${rowsOf({ userId: 'bigint' }, wanted)} cross join lateral (
    select holds.user_id, holds.id as "holdId", holds.campaign_id, holds.account_id, coalesce(campaigns.name, holds.campaign_id) as name,
      coalesce(a.name, holds.account_id) as account, holds.paused_at as at, holds.threshold, holds.cause as by, holds.decided_at,
      ${timeZoneOf('holds.account_id')} as time_zone,
      holds.state = 'resuming' or holds.resume_asked_at is not null as "isResuming",
      case when holds.state = 'resuming' then holds.refusal end as refusal, holds.postponed_until, campaigns.other_schedule as schedule,
      ${isAccountLost} as "isAccountLost", ${isReachable} as "isReachable", ${areWritesBlocked(now)} as "isBlocked"
    from holds
    join smartpause_settings on smartpause_settings.user_id = holds.user_id and smartpause_settings.campaign_id = holds.campaign_id
    left join campaigns on campaigns.id = holds.campaign_id
    left join ad_accounts a on a.user_id = holds.user_id and a.id = holds.account_id
    where holds.user_id = given.user_id and holds.paused_at is not null and ${isPausedBySmartPause} offset 0) one
    order by one.decided_at, one."holdId"`.execute(db);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([id, own]) => [id, own.map(({ userId: _userId, holdId: _holdId, ...held }) => held)]),
  );
}

/** Other campaigns of the names of these, in their ad accounts: a notification tells them apart, as the page does. */
export async function findNamesakes(db: Db, campaignIds: readonly string[]) {
  const { rows } = await sql<{ of: string; campaignId: string; name: string; accountId: string }>`
    select own.id as of, other.id as "campaignId", other.name, other.account_id from campaigns own
    join campaigns other on other.account_id = own.account_id and other.name = own.name and other.id <> own.id
    where own.id = any(${[...campaignIds]}::text[]) and other.is_listed`.execute(db);
  return rows;
}

/** Such campaigns that were paused before a time, except of users who are leaving: by user and decision, when the first was. */
export async function findStillPaused(db: Db, before: Instant) {
  type Row = { userId: string; threshold: Threshold; by: Cause; decidedAt: Instant; since: Instant };
  const { rows } = await sql<Row>`
    select still.*
    from (select holds.user_id, holds.threshold, holds.cause as by, holds.decided_at, min(holds.paused_at) as since
      ${pausedHolds} and holds.ended_at is null and holds.paused_at <= ${timestamp(before)}
      group by holds.user_id, holds.threshold, holds.cause, holds.decided_at) still
    join users on users.id = still.user_id and users.leaving is null order by still.user_id, since`.execute(
    db,
  );
  return rows;
}

/** The users' last reminders of each outage. `outage` null: of none; `isOfAll`: the former version wrote it. */
export async function findLastReminders(db: Db, userIds: readonly string[]) {
  type Row = { userId: string; outage: string | null; isOfAll: boolean; at: Instant };
  const { rows } = await sql<Row>`
    select user_id, facts ->> 'outage' as outage, not facts ? 'outage' as "isOfAll", max(created_at) as at from activities
    where user_id = any(${[...userIds]}::bigint[]) and event = 'still_paused' and dedupe_key is not null
    group by user_id, facts ->> 'outage', facts ? 'outage'`.execute(db);
  return rows;
}

/** Users with such campaigns whose holds of an outage began with one of these thresholds, except those who are leaving. */
export async function findHolders(db: Db, thresholds: readonly Threshold[], now: Instant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users
    where users.leaving is null and exists (select ${pausedHolds} and holds.ended_at is null and holds.user_id = users.id
      and (holds.cause <> 'user' or not exists (select from signals s where s.user_id = users.id
        and s.source = 'user' and (s.until is null or s.until > ${timestamp(now)})))
      and holds.paused_at is not null and holds.threshold = any(${[...thresholds]}::text[]))
    order by users.id`.execute(db);
  return rows.map((row) => row.id);
}

/** The user's live holds in one state. */
export type LiveHolds = Pick<Hold, 'userId' | 'state' | 'threshold' | 'testUntil'> & {
  /** Of their ad accounts. */
  timeZone: string | null;
  count: number;
};

/**
 * Counts the users' live holds without those whose write Meta refuses or blocks, or that wait for another tool; one refused for
 * a final reason is tried once more, and reported then. First pauses that are being sent become rows with their results.
 */
export async function countLiveHolds(db: Db, userIds: readonly string[], now: Instant): Promise<LiveHolds[]> {
  const ids = sql`${[...userIds]}::bigint[]`;
  const { rows } = await sql<LiveHolds>`
    select user_id, state, threshold, test_until, time_zone, sum(count)::int as count from (
    select user_id, state, threshold, test_until, ${timeZoneOf('live.account_id')} as time_zone, count(*) from (
      select user_id, account_id, campaign_id, state, threshold, test_until from holds
      where state <> 'ended' and postponed_until is null and user_id = any(${ids})
        and (refusal is null or exists (select from campaign_writes w
          where w.campaign_id = holds.campaign_id and w.state = 'open' and w.final_refusals > 0))
        and not exists (select from ad_accounts a
          where a.user_id = holds.user_id and a.id = holds.account_id and ${areWritesBlocked(now)})
      union
      select a.user_id, a.id, hold ->> 'campaignId', hold ->> 'state', hold ->> 'threshold', null
      from ad_accounts a, ${holdsBeingSent}
      where work_items.account_id = a.id and a.user_id = any(${ids}) and hold ->> 'userId' = a.user_id::text
        and hold ->> 'state' = 'pausing' and hold ->> 'testUntil' is null) live
    group by user_id, state, threshold, test_until, live.account_id) own
    group by user_id, state, threshold, test_until, time_zone`.execute(db);
  return rows;
}
