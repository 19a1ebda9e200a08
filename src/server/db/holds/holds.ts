import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Hold, HoldEnd } from '#core/smartpause/hold.ts';
import { LATE_WRITE_MS, VERIFICATION_READ_MS } from '#core/smartpause/hold.ts';
import type { KnownLevel, Threshold } from '#core/smartpause/level.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inPieces, timestamp } from '../database.ts';
import { pausedHolds } from './paused-by-smart-pause.ts';
import type { Schema } from '../schema.ts';

/** A live hold as stored: the core's hold, its owner, and the number of calls to Meta. */
export interface StoredHold extends Hold {
  userId: string;
  accountId: string;
  /** When the list that led to the decision was requested, by Meta's clock. */
  platformReadAt: Instant;
  /** Counts started writes; a response to an older attempt is ignored. */
  attempt: number;
  failures: number;
  /** Meta's own words when it last refused the write for good; null: it did not. */
  refusal: string | null;
  lastError: string | null;
  /** The level at the time of the pause; null: not recorded. */
  pausedFor: KnownLevel | null;
  /** The user's threshold at that time; null: not recorded. */
  pausedThreshold: Threshold | null;
  /** When the first pause and the first resume were sent; null: not sent, or not recorded. */
  pauseSentAt: Instant | null;
  resumeSentAt: Instant | null;
  /** It began as a live test, also if an outage has kept it. */
  beganAsTest: boolean;
}

/** A row of a hold that is not ended. */
type HoldRow = Selectable<Schema['holds']> & Pick<Hold, 'state'>;

function toHold({ suspectedStatus: status, suspectedSince: since, ...row }: HoldRow): StoredHold {
  return {
    ...row,
    platformReadAt: row.readAt ?? row.createdAt,
    suspicion: status === null || since === null ? null : { status, since },
  };
}

/**
 * Reads one account at a time to force the index. PostgreSQL cannot estimate the row count
 * (an outage fills an empty table) and would scan the table.
 */
export async function findLiveHolds(db: Db, accountIds: readonly string[]): Promise<StoredHold[]> {
  const { rows } = await sql<HoldRow>`
    select live.* from unnest(${accountIds}::text[]) as account(id) cross join lateral (
      select * from holds where account_id = account.id and state <> 'ended' offset 0) live
    order by live.id`.execute(db);
  return rows.map(toHold);
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
    where holds.account_id = any(${[...accountIds]}::text[]) and holds.reason = 'pause_refused'
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

/**
 * Counts all live holds, including those whose write may still arrive, and manual changes of which a copy may. At 0 none of our writes can arrive.
 */
export async function countLiveHolds(db: Db, userId: string, now: Instant): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select (select count(*) from holds where user_id = ${userId} and state <> 'ended')
      + (select count(*) from manual_changes where user_id = ${userId}
        and sent_at > ${timestamp(now - LATE_WRITE_MS)}) as count`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

export interface NewHold {
  userId: string;
  accountId: string;
  campaignId: string;
  pausedFor: KnownLevel;
  pausedThreshold: Threshold;
  /** When the list was requested, by our clock and by Meta's. */
  readAt: Instant;
  platformReadAt: Instant;
}

/**
 * Stores the intent of new holds before the call to Meta. Skips campaigns with a live hold, and a manual pause
 * that may be newer than the list.
 */
export async function insertHolds(db: Db, holds: readonly NewHold[], now: Instant): Promise<StoredHold[]> {
  if (holds.length === 0) return [];
  const at = new Date(now);
  const { rows } = await sql<HoldRow>`
    insert into holds (user_id, account_id, campaign_id, state, attempt, sent_at, created_at, paused_for,
      paused_threshold, read_at)
    select wanted.user_id, wanted.account_id, wanted.campaign_id, 'pausing', 1, ${at}::timestamptz, ${at}::timestamptz,
      wanted.paused_for, wanted.paused_threshold, wanted.platform_read_at
    from unnest(${holds.map((h) => h.userId)}::bigint[], ${holds.map((h) => h.accountId)}::text[],
      ${holds.map((h) => h.campaignId)}::text[], ${holds.map((h) => h.pausedFor)}::text[],
      ${holds.map((h) => h.pausedThreshold)}::text[],
      ${holds.map((h) => new Date(h.readAt))}::timestamptz[],
      ${holds.map((h) => new Date(h.platformReadAt))}::timestamptz[]
    ) with ordinality
      as wanted(user_id, account_id, campaign_id, paused_for, paused_threshold, read_at, platform_read_at, n)
    left join campaigns on campaigns.id = wanted.campaign_id
    where coalesce(campaigns.paused_manually_at < wanted.read_at - ${VERIFICATION_READ_MS} * interval '1 millisecond', true)
    order by wanted.n
    on conflict (campaign_id) where state <> 'ended' do nothing
    returning *`.execute(db);
  return rows.map(toHold);
}

export interface HoldUpdate {
  hold: StoredHold;
  /** The update applies only to this attempt; another process may have changed the row. */
  expectedAttempt: number;
  end: HoldEnd | null;
  /** SmartPause was turned off and on again: the hold goes on. */
  isKept?: boolean;
}

/** Returns the ids of holds that were live and at the expected attempt. */
export async function updateHolds(
  db: Db,
  updates: readonly HoldUpdate[],
  now: Instant,
): Promise<Set<string>> {
  if (updates.length === 0) return new Set();
  const releases = updates.map(({ end }) => (end?.outcome === 'released' ? end : null));
  const { rows } = await sql<{ id: string }>`
    update holds set state = u.state, outcome = u.outcome, reason = u.reason, attempt = u.attempt,
      failures = u.failures, sent_at = u.sent_at, resumed_at = u.resumed_at, release = u.release, retry_at = u.retry_at,
      refusals = u.refusals, refusal = u.refusal,
      suspected_status = u.suspected_status, suspected_since = u.suspected_since, last_error = u.last_error,
      paused_at = u.paused_at, paused_for = u.paused_for, paused_threshold = u.paused_threshold,
      pause_sent_at = u.pause_sent_at, resume_sent_at = u.resume_sent_at,
      turned_off = holds.turned_off and not u.is_kept,
      test_until = case when u.is_test then holds.test_until end,
      created_at = case when holds.test_until is null or u.is_test then holds.created_at else ${timestamp(now)} end, unconfirmed_write = u.unconfirmed_write,
      ended_at = case when u.state = 'ended' then ${timestamp(now)} end
    from unnest(
      ${updates.map((u) => u.hold.id)}::bigint[], ${updates.map((u) => u.expectedAttempt)}::int[],
      ${updates.map((u) => (u.end === null ? u.hold.state : 'ended'))}::text[],
      ${updates.map(({ end }) => end?.outcome ?? null)}::text[], ${releases.map((end) => end?.reason ?? null)}::text[],
      ${updates.map((u) => u.hold.attempt)}::int[], ${updates.map((u) => u.hold.failures)}::int[],
      ${updates.map((u) => date(u.hold.sentAt))}::timestamptz[], ${updates.map((u) => date(u.hold.resumedAt))}::timestamptz[],
      ${updates.map((u) => u.hold.release)}::text[], ${updates.map((u) => date(u.hold.retryAt))}::timestamptz[],
      ${updates.map((u) => u.hold.refusals)}::int[], ${updates.map((u) => u.hold.refusal)}::text[],
      ${updates.map((u) => u.hold.suspicion?.status ?? null)}::text[],
      ${updates.map((u) => date(u.hold.suspicion?.since ?? null))}::timestamptz[],
      ${updates.map((u) => u.hold.lastError)}::text[], ${updates.map((u) => date(u.hold.pausedAt))}::timestamptz[],
      ${updates.map((u) => u.hold.pausedFor)}::text[], ${updates.map((u) => u.hold.pausedThreshold)}::text[],
      ${updates.map((u) => date(u.hold.pauseSentAt))}::timestamptz[], ${updates.map((u) => date(u.hold.resumeSentAt))}::timestamptz[],
      ${releases.map((end) => end?.unconfirmedWrite ?? null)}::text[],
      ${updates.map((u) => u.isKept === true)}::boolean[],
      ${updates.map((u) => u.hold.testUntil !== null)}::boolean[]
    ) as u(id, expected_attempt, state, outcome, reason, attempt, failures, sent_at, resumed_at, release, retry_at,
           refusals, refusal, suspected_status, suspected_since, last_error, paused_at, paused_for, paused_threshold, pause_sent_at,
           resume_sent_at, unconfirmed_write, is_kept, is_test)
    where holds.id = u.id and holds.attempt = u.expected_attempt and holds.state <> 'ended'
    returning holds.id`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** SmartPause was turned off: the reconciler ends the user's hold. A live test does not need SmartPause on. */
export async function markTurnedOff(db: Db, given: { userId: string; campaignId: string }): Promise<void> {
  await db
    .updateTable('holds')
    .set({ turnedOff: true })
    .where('userId', '=', given.userId)
    .where('campaignId', '=', given.campaignId)
    .where('state', '<>', 'ended')
    .where('testUntil', 'is', null)
    .execute();
}

export interface Deactivated {
  /** Owner of the hold that met the external change. */
  userId: string;
  campaignId: string;
  /** When that change was first seen. */
  seenAt: Instant;
}

/**
 * Turns SmartPause off for all users who had it on when the external change was seen.
 * It stays off until they turn it on again.
 * @returns the deactivated settings of users other than the given ones
 */
export async function deactivateSmartPause(
  db: Db,
  campaigns: readonly Deactivated[],
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
