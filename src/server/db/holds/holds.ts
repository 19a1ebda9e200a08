import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Hold } from '#core/reconciler/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inPieces, rowsOf, timestamp } from '../database.ts';
import { pausedHolds } from './paused-by-smart-pause.ts';
import type { Schema } from '../schema.ts';

/** A hold as stored: the core's hold, and what the history tells about it. */
export interface StoredHold extends Hold {
  /** Null: it is not stored yet. */
  id: string | null;
  accountId: string;
  campaignId: string;
  /** When the first pause and the first resume were sent. */
  pauseSentAt: Instant | null;
  resumeSentAt: Instant | null;
  /** It began as a live test, also if an outage has kept it. */
  beganAsTest: boolean;
  /** Meta's own words when it last refused the write for good; null: it did not. */
  refusal: string | null;
  lastError: string | null;
}

function toHold({
  surpriseStatus: status,
  surpriseSince: since,
  ...row
}: Selectable<Schema['holds']>): StoredHold {
  return { ...row, surprise: status === null || since === null ? null : { status, since } };
}

/**
 * Reads one account at a time to force the index. PostgreSQL cannot estimate the row count
 * (an outage fills an empty table) and would scan the table.
 */
export async function findLiveHolds(db: Db, accountIds: readonly string[]): Promise<StoredHold[]> {
  const { rows } = await sql<Selectable<Schema['holds']>>`
    select live.* from unnest(${accountIds}::text[]) as account(id) cross join lateral (
      select * from holds where account_id = account.id and state <> 'ended' offset 0) live
    order by live.id`.execute(db);
  return rows.map(toHold);
}

/**
 * Stores new holds and changed ones that are live.
 * @returns the ids of the new ones, by campaign
 */
export async function saveHolds(
  db: Db,
  holds: readonly StoredHold[],
  now: Instant,
): Promise<Map<string, string>> {
  const fresh = holds.filter(({ id }) => id === null);
  const known = holds.filter(({ id }) => id !== null);
  if (known.length > 0) await updateHolds(db, known, now);
  if (fresh.length === 0) return new Map();
  const { rows } = await sql<{ id: string; campaignId: string }>`
    insert into holds (user_id, account_id, campaign_id, state, threshold, level, is_override, decided_at, read_at,
      pause_sent_at, began_as_test, ended_at, outcome, release_reason)
    select user_id, account_id, campaign_id, state, threshold, level, is_override, decided_at, read_at,
      pause_sent_at, began_as_test, ended_at, outcome, release_reason
    from ${rowsOf(
      'holds',
      fresh.map((hold) => toRow(hold, now)),
    )}
    returning id, campaign_id`.execute(db);
  return new Map(rows.map(({ id, campaignId }) => [campaignId, id]));
}

/** A user may have ended a live test while its write was sent. */
async function updateHolds(db: Db, holds: readonly StoredHold[], now: Instant): Promise<void> {
  await sql`
    update holds set user_id = h.user_id, state = h.state, threshold = h.threshold, level = h.level,
      is_override = h.is_override, decided_at = h.decided_at, pause_sent_at = h.pause_sent_at, paused_at = h.paused_at,
      resume_sent_at = h.resume_sent_at, test_until = case when h.test_until is not null then holds.test_until end,
      surprise_status = h.surprise_status, surprise_since = h.surprise_since, refusal = h.refusal,
      last_error = h.last_error, ended_at = h.ended_at, outcome = h.outcome, release_reason = h.release_reason
    from ${rowsOf(
      'holds',
      holds.map((hold) => toRow(hold, now)),
    )} h
    where holds.id = h.id and holds.state <> 'ended'`.execute(db);
}

function toRow({ surprise, ...hold }: StoredHold, now: Instant) {
  return {
    ...hold,
    decidedAt: date(hold.decidedAt),
    readAt: date(hold.readAt),
    pauseSentAt: date(hold.pauseSentAt),
    pausedAt: date(hold.pausedAt),
    resumeSentAt: date(hold.resumeSentAt),
    testUntil: date(hold.testUntil),
    surpriseStatus: surprise?.status ?? null,
    surpriseSince: date(surprise?.since ?? null),
    endedAt: hold.state === 'ended' ? date(now) : null,
  };
}

/**
 * When Meta last refused the pause of a campaign for good, by user and campaign. A refusal from before the user
 * turned SmartPause on again, and one of a live test, does not count.
 */
export async function findRefusedPauses(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, Map<string, Instant>>> {
  const { rows } = await sql<{ userId: string; campaignId: string; at: Instant }>`
    select holds.user_id, holds.campaign_id, max(holds.ended_at) as at
    from holds join smartpause_settings sp on sp.user_id = holds.user_id and sp.campaign_id = holds.campaign_id
    where holds.account_id = any(${[...accountIds]}::text[]) and holds.release_reason = 'pause_refused'
      and holds.test_until is null and holds.ended_at > sp.changed_at
    group by holds.user_id, holds.campaign_id`.execute(db);
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return new Map(
    [...byUser].map(([userId, own]) => [userId, new Map(own.map((row) => [row.campaignId, row.at]))]),
  );
}

/** Counts the campaigns that SmartPause has paused for the user. */
export async function countHeld(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count ${pausedHolds} and holds.user_id = ${userId}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Counts the user's live holds and their writes that are open or may still arrive. At 0 none of our writes can arrive. */
export async function countUnsettled(db: Db, userId: string, now: Instant): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select (select count(*) from holds where user_id = ${userId} and state <> 'ended')
      + (select count(*) from campaign_writes where user_id = ${userId}
        and (state = 'open' or unanswered_until > ${timestamp(now)})) as count`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** A status of a campaign that someone else has set. */
export interface ExternalChange {
  /** Owner of the hold that met it. */
  userId: string;
  campaignId: string;
  /** When it was first seen. */
  seenAt: Instant;
}

/**
 * Turns SmartPause off for all users who had it on when the external change was seen.
 * It stays off until they turn it on again.
 * @returns the changed settings of users other than the given ones
 */
export async function deactivateSmartPause(
  db: Db,
  campaigns: readonly ExternalChange[],
  now: Instant,
): Promise<{ userId: string; accountId: string; campaignId: string }[]> {
  if (campaigns.length === 0) return [];
  const { rows } = await sql<{ userId: string; accountId: string; campaignId: string; isGiven: boolean }>`
    update smartpause_settings sp set setting = 'DEACTIVATED', changed_at = ${timestamp(now)}
    from unnest(${campaigns.map((c) => c.userId)}::bigint[], ${campaigns.map((c) => c.campaignId)}::text[],
      ${campaigns.map((c) => new Date(c.seenAt))}::timestamptz[]) as given(user_id, campaign_id, seen_at)
    where sp.campaign_id = given.campaign_id and sp.setting = 'ON'
      and (sp.user_id = given.user_id or sp.changed_at <= given.seen_at)
    returning sp.user_id, sp.account_id, sp.campaign_id,
      sp.user_id = given.user_id as "isGiven"`.execute(db);
  return rows.filter((row) => !row.isGiven);
}

/** Drops holds that ended before the given time, with their activities. */
export function dropOldHolds(db: Db, before: Instant): Promise<void> {
  return inPieces((limit) =>
    sql`delete from holds where id in (
      select id from holds where state = 'ended' and ended_at < ${timestamp(before)} order by id limit ${limit}
      for update skip locked)`.execute(db),
  );
}
