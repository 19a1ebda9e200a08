import type { RawBuilder, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { LeftAlone } from '#core/reconciler/world.ts';
import type { Hold } from '#core/reconciler/hold.ts';
import { OURS, RESUMED_FOR_ALL } from '#core/reconciler/hold.ts';
import type { Threshold } from '#core/smartpause/level.ts';
import type { Cause } from '#core/smartpause/signals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { columnsOf, rowsOf, timestamp } from '../database.ts';
import { pausedHolds } from './paused-by-smart-pause.ts';
import type { Schema } from '../schema.ts';

/** The live hold of a campaign, or one that ends now. */
export interface HoldRow extends Hold {
  accountId: string;
  campaignId: string;
}

function toHold({
  surpriseStatus: status,
  surpriseSince: since,
  resumeAskedBy: by,
  resumeAskedAt: at,
  ...row
}: Selectable<Schema['holds']>): HoldRow {
  return {
    ...row,
    surprise: status === null || since === null ? null : { status, since },
    resumeAsked: by === null || at === null ? null : { by, at },
  };
}

/**
 * Reads one account at a time, and 'offset 0' keeps it so, to force the index: here and in similar statements.
 * PostgreSQL cannot estimate the row count (an outage fills an empty table) and would scan the table.
 */
export async function findLiveHolds(db: Db, accountIds: readonly string[]): Promise<HoldRow[]> {
  const { rows } = await sql<Selectable<Schema['holds']>>`
    select live.* from unnest(${accountIds}::text[]) as account(id) cross join lateral (
      select * from holds where account_id = account.id and state <> 'ended' offset 0) live
    order by live.id`.execute(db);
  return rows.map(toHold);
}

const COLUMNS = {
  userId: 'bigint',
  accountId: 'text',
  campaignId: 'text',
  state: 'text',
  threshold: 'text',
  cause: 'text',
  level: 'text',
  isOverride: 'boolean',
  decidedAt: 'timestamptz',
  readAt: 'timestamptz',
  pauseSentAt: 'timestamptz',
  pausedAt: 'timestamptz',
  resumeSentAt: 'timestamptz',
  surpriseStatus: 'text',
  surpriseSince: 'timestamptz',
  postponedUntil: 'timestamptz',
  refusal: 'text',
  failureKind: 'text',
  failureCode: 'text',
  endedAt: 'timestamptz',
  outcome: 'text',
  releaseReason: 'text',
  outside: 'jsonb',
} as const;

/**
 * Stores new holds, and what became of live ones, also their end: the only statement that ends one. The caller has locked
 * the work item.
 * A user may have ended a live test while its write was sent.
 * @returns their ids by campaign
 */
export async function saveHolds(
  db: Db,
  holds: readonly HoldRow[],
  now: Instant,
): Promise<Map<string, string>> {
  if (holds.length === 0) return new Map();
  const given = holds.map(({ surprise, testUntil, ...hold }) => ({
    ...hold,
    isTest: typeof testUntil === 'number',
    // An intent of a former version has none.
    cause: (hold.cause as Hold['cause'] | undefined) ?? 'status',
    surpriseStatus: surprise?.status ?? null,
    surpriseSince: surprise?.since ?? null,
    endedAt: hold.state === 'ended' ? now : null,
    outside: hold.outside == null ? null : JSON.stringify(hold.outside),
  }));
  const columns = columnsOf(COLUMNS);
  const { rows } = await sql<{ id: string; campaignId: string }>`
    with given as materialized (select * from ${rowsOf({ ...COLUMNS, isTest: 'boolean' }, given)}), known as (
      update holds set (${columns}) = (${columnsOf(COLUMNS, 'given')}),
        test_until = case when given.is_test then holds.test_until end,
        held_up_since = case when holds.user_id = given.user_id then holds.held_up_since end
      from given where holds.campaign_id = given.campaign_id and holds.id = any(array(
        select live.id from given as wanted cross join lateral (
          select id from holds where campaign_id = wanted.campaign_id and state <> 'ended' offset 0) live))
      returning holds.id, holds.campaign_id
    ), fresh as (
      insert into holds (${columns}) select ${columns} from given
      where exists (select from users where users.id = given.user_id)
        and not exists (select from known where known.campaign_id = given.campaign_id)
      on conflict (campaign_id) where state <> 'ended' do nothing
      returning id, campaign_id
    )
    select id, campaign_id from known union all select id, campaign_id from fresh`.execute(db);
  return new Map(rows.map(({ id, campaignId }) => [campaignId, id]));
}

/** The live hold of a campaign, found by the index of campaigns however many holds are in progress. */
export const liveHoldOf = (campaignId: 'c.id' | 'own.campaign_id') =>
  sql`lateral (select * from holds live where live.campaign_id = ${sql.ref(campaignId)} and live.state <> 'ended' offset 0)`;

/** Meta refuses for now to pause the campaign of the live hold `h`. Null: it has none. */
export const isPauseRefused = sql`(h.state = 'pausing' and h.refusal is not null)`;

/** The hold `r` ended in a resume that leaves SmartPause on for all users. Literals, so that the index is used. */
export const isResumedForAll = sql`(r.release_reason in (${sql.join(RESUMED_FOR_ALL.map((one) => sql.lit(one)))}))`;

/**
 * The hold `r` ended in the match that began then, after the user's setting `sp` was made. A resume that was asked for
 * before the setting was made does not count, nor does a live test.
 */
export const endedInMatch = (since: RawBuilder<unknown>) =>
  sql`(r.test_until is null and r.ended_at >= ${since} and sp.changed_at < ${endDecided})`;

/** A user's request counts from when it was made: what is said after it is newer, also before it is carried out. */
const endDecided = sql`case when r.release_reason in ('resumed_now', 'resumed_by_other') then r.resume_asked_at else r.ended_at end`;

/** The campaign of the row of `holds` was resumed in the match that began then: it is left alone in it. */
export const wasResumedSince = (since: Instant) => sql<boolean>`exists (
  select from holds r join smartpause_settings sp on sp.campaign_id = r.campaign_id and sp.user_id = holds.user_id
  where r.account_id = holds.account_id and r.campaign_id = holds.campaign_id and sp.setting = 'ON'
    and ${isResumedForAll} and ${endedInMatch(timestamp(since))})`;

/**
 * Of users with SmartPause on, by user and campaign. A resume whose user took the request back while it was sent does not count.
 * @param since null: nothing
 * @param userId null: of all users
 */
export async function findLeftAlone(
  db: Db,
  accountIds: readonly string[],
  since: Instant | null,
  userId: string | null = null,
): Promise<Map<string, Map<string, LeftAlone>>> {
  if (since === null) return new Map();
  const { rows } = await sql<LeftAlone & { userId: string; campaignId: string }>`
    select distinct on (sp.user_id, sp.campaign_id) sp.user_id, sp.campaign_id, ${endDecided} as since,
      case r.release_reason when 'resumed_by_other' then 'resumed_now' else r.release_reason end as why
    from holds r join smartpause_settings sp on sp.campaign_id = r.campaign_id and sp.account_id = r.account_id
      and sp.setting = 'ON' and (sp.user_id = r.user_id or ${isResumedForAll})
      and ${userId === null ? sql`true` : sql`sp.user_id = ${userId}`}
    where r.account_id = any(${[...accountIds]}::text[]) and (r.release_reason = 'pause_refused' or ${isResumedForAll})
      and ${endedInMatch(timestamp(since))}
    order by sp.user_id, sp.campaign_id, r.ended_at desc`.execute(db);
  const byUser = Map.groupBy(rows, (row) => row.userId);
  return new Map(
    [...byUser].map(([userId, own]) => [
      userId,
      new Map(own.map(({ campaignId, since, why }) => [campaignId, { since, why }])),
    ]),
  );
}

/**
 * Before a user is deleted: another user whom one of the ended holds still binds in a match of theirs gets it, as if the
 * resume was of theirs.
 * @param matches those that last
 */
export async function handOverEndedHolds(
  db: Db,
  userId: string,
  matches: readonly { threshold: Threshold; since: Instant }[],
): Promise<void> {
  const asked = sql`r.release_reason in ('resumed_now', 'resumed_by_other')`;
  await sql`
    update holds h set user_id = heir.user_id, threshold = heir.threshold, release_reason = heir.reason,
      outside = case heir.reason when 'resumed_by_other' then heir.outside when 'resumed_now' then null else h.outside end
    from (select distinct on (r.id) r.id, sp.user_id, u.threshold,
        case when ${asked} then case r.resume_asked_by when sp.user_id then 'resumed_now' else 'resumed_by_other' end
          else r.release_reason end as reason,
        jsonb_build_object('at', extract(epoch from r.resume_asked_at) * 1000, 'tool', ${OURS}::text, 'person', null) as outside
      from holds r join smartpause_settings sp on sp.campaign_id = r.campaign_id and sp.account_id = r.account_id
        and sp.user_id <> r.user_id and sp.setting = 'ON'
      join users u on u.id = sp.user_id and u.leaving is null
      join ${rowsOf({ threshold: 'text', since: 'timestamptz' }, matches)} on given.threshold = u.threshold
      where r.user_id = ${userId} and ${isResumedForAll} and ${endedInMatch(sql`given.since`)}
      order by r.id, sp.user_id = r.resume_asked_by desc nulls last, sp.user_id) heir
    where h.id = heir.id`.execute(db);
}

/** For any user. */
export async function isHeldNow(db: Db, campaignId: string): Promise<boolean> {
  const live = db
    .selectFrom('holds')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where('state', '<>', 'ended');
  return (await live.executeTakeFirst()) !== undefined;
}

/** Counts the campaigns that SmartPause has paused for the user. */
export async function countHeld(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count ${pausedHolds} and holds.user_id = ${userId}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Of these, those that this has paused. */
export async function countHeldBy(db: Db, userId: string, cause: Cause): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count ${pausedHolds} and holds.user_id = ${userId} and holds.cause = ${cause}`.execute(
    db,
  );
  return Number(rows[0]?.count ?? 0);
}

/** The user's oldest live hold in the ad account whose campaign is known to be paused. */
export async function findOldestPause(db: Db, userId: string, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from holds where user_id = ${userId} and account_id = ${accountId}
      and state <> 'ended' and paused_at is not null`.execute(db);
  return rows[0]?.id ?? null;
}

/** Counts the user's live holds and their writes that are open or may still arrive. At 0 none of our writes can arrive. */
export async function countUnsettled(db: Db, userId: string, now: Instant): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select (select count(*) from holds where user_id = ${userId} and state <> 'ended')
      + (select count(*) from campaign_writes where user_id = ${userId}
        and (state = 'open' or unanswered_until > ${timestamp(now)}))
      + (select count(*) from work_items where intent is not null and account_id in (
        select id from ad_accounts where user_id = ${userId}
        union select account_id from smartpause_settings where user_id = ${userId})) as count`.execute(db);
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
