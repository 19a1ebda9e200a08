import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ResumeSettings } from '#core/settings.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { OtherSchedule } from '#core/smartpause/other-schedule.ts';
import type { Instant } from '#core/time.ts';
import { timeZoneOf } from '../ad-accounts.ts';
import type { Db } from '../database.ts';
import { onlyRow, rowsOf, timestamp } from '../database.ts';
import { pausedHolds } from '../holds/paused-by-smart-pause.ts';

/** Since when Meta has refused our app; null: it serves it. */
export async function readAppStoppedSince(db: Db): Promise<Instant | null> {
  return onlyRow(await sql<{ since: Instant | null }>`select since from app_state`.execute(db)).since;
}

/** Live holds that are due together. */
interface HoldGroup {
  userId: string;
  accountId: string;
  threshold: Threshold;
  /** A user has asked for the resume. */
  isAsked: boolean;
}

export interface UntoldGroup extends HoldGroup {
  resume: ResumeSettings;
  timeZone: string | null;
  isLeaving: boolean;
}

/** Of the live hold `holds` with a known pause: no activity has told its user of the stop of our app since then. */
const isUntold = (since: Instant) => sql`holds.paused_at is not null
  and (holds.held_up_since is null or holds.held_up_since < ${timestamp(since)})`;

/**
 * Of these thresholds, or whose resume is due for another reason. Each part has an index: no history is read, and no live
 * hold while all of their users know.
 */
export async function findUntold(
  db: Db,
  { since, thresholds }: { since: Instant; thresholds: readonly Threshold[] },
): Promise<UntoldGroup[]> {
  // The first one by the index: PostgreSQL does not know when none is left, and would read all live holds.
  const ofThresholds = (told: RawBuilder<unknown>) => {
    const one = sql`from holds where ended_at is null and paused_at is not null and ${told} and threshold = over.threshold`;
    return sql`select own.* from unnest(${[...thresholds]}::text[]) as over(threshold)
      cross join lateral (select ${one} order by held_up_since limit 1) first
      cross join lateral (
        select user_id, account_id, threshold, resume_asked_at is not null as "isAsked" ${one} offset 0) own`;
  };
  const { rows } = await sql<UntoldGroup>`
    select untold.*, users.resume_settings as resume, users.leaving is not null as "isLeaving",
      ${timeZoneOf('untold.account_id')} as time_zone
    from (${ofThresholds(sql`held_up_since is null`)} union ${ofThresholds(sql`held_up_since < ${timestamp(since)}`)}
      union select user_id, account_id, threshold, true from holds
        where ended_at is null and ${isUntold(since)} and resume_asked_at is not null
      union select own.* from users cross join lateral (
        select user_id, account_id, threshold, resume_asked_at is not null from holds
        where holds.user_id = users.id and state <> 'ended' and ${isUntold(since)} offset 0) own
        where users.leaving is not null) untold
    join users on users.id = untold.user_id
    order by untold.user_id, untold.account_id, untold.threshold, "isAsked"`.execute(db);
  return rows;
}

const GROUP = { userId: 'bigint', accountId: 'text', threshold: 'text', isAsked: 'boolean' };

/** The campaigns of these groups that are paused and wait for no other tool, with their holds. */
export async function findWaiting(db: Db, groups: readonly HoldGroup[], since: Instant) {
  const { rows } = await sql<
    HoldGroup & { campaignId: string; name: string; holdId: string; schedule: OtherSchedule | null }
  >`
    select given.*, one.* from ${rowsOf(GROUP, groups)} cross join lateral (
      select holds.campaign_id, holds.id as "holdId", coalesce(campaigns.name, holds.campaign_id) as name,
        campaigns.other_schedule as schedule ${pausedHolds} and ${isUntold(since)} and holds.postponed_until is null
        and holds.user_id = given.user_id and holds.account_id = given.account_id
        and holds.threshold = given.threshold and (holds.resume_asked_at is not null) = given.is_asked offset 0) one
    order by one."holdId"`.execute(db);
  return rows;
}

/** Marks holds before their activities are stored. @returns those that no other process has marked */
export async function markHeldUp(db: Db, holdIds: readonly string[], since: Instant): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update holds set held_up_since = ${timestamp(since)} where id in (
      select id from holds where id = any(${[...holdIds]}::bigint[]) and state <> 'ended' and ${isUntold(since)}
      order by id for update skip locked) returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
