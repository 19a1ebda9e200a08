import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { NewCampaign } from '#core/new-campaigns.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import type { EndedReads } from '#core/reconciler/missing-campaigns.ts';
import type { Target } from '#core/reconciler/hold.ts';
import { AWAY_MS, READ_LAG_MS } from '#core/reconciler/hold.ts';
import { SECOND_LOOK_MS, SHRUNK } from '#core/reconciler/missing-campaigns.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { rowsOf, timestamp } from './database.ts';
import { isPausedBySmartPause } from './holds/paused-by-smart-pause.ts';
import { updatePriorities } from './priorities.ts';
import { isRefused } from './holds/writes.ts';

export interface CampaignList {
  accountId: string;
  campaigns: readonly PlatformCampaign[];
  /** Running or paused ones that the list lacks: they were read by id, and stay listed. */
  found?: readonly PlatformCampaign[];
  /** Those that were read by id as deleted or archived. */
  ended?: readonly string[];
  /** Those that a read by id says do not exist. */
  away?: readonly string[];
  /** Those that reads by id have had no answer for, and since when. */
  unanswered?: ReadonlyMap<string, Instant>;
  /** Campaigns that are missing stay as they are. */
  isPartial: boolean;
  readAt: Instant;
  /** Whether the request included archived campaigns. */
  withArchived?: boolean;
}

const SEEN = {
  id: 'text',
  accountId: 'text',
  name: 'text',
  status: 'text',
  objective: 'text',
  dailyBudget: 'bigint',
  isLegacyAdvantage: 'boolean',
  startTime: 'timestamptz',
  stopTime: 'timestamptz',
  seenAt: 'timestamptz',
  isInList: 'boolean',
};
const READ = {
  accountId: 'text',
  readAt: 'timestamptz',
  wasWhole: 'boolean',
  withArchived: 'boolean',
  isEmpty: 'boolean',
  unanswered: 'jsonb',
};

/**
 * The listed campaigns that a whole list should have, and of the missing ones those that stay listed until another look.
 * A list that began before a stored one says nothing.
 */
const LOST = sql`stored as materialized (
      select campaigns.id, campaigns.account_id, seen.id is null and not exists (
          select from holds h where h.campaign_id = campaigns.id and h.state <> 'ended') as is_missing,
        not coalesce(seen.is_in_list, false) as is_lost,
        campaigns.id in (select unnest(shrunk_ids) from known) as is_doubted
      from read join campaigns on campaigns.account_id = read.account_id left join seen on seen.id = campaigns.id
      left join known on known.account_id = read.account_id
      where read.was_whole and coalesce(read.read_at >= known.read_at, true)
        and campaigns.is_listed and (campaigns.status <> 'ARCHIVED' or read.with_archived)
    ), counted as materialized (
      select account_id, is_empty or (lost >= ${SHRUNK.campaigns}::int and lost >= count * ${SHRUNK.share}::float8) as is_shrunk,
        coalesce(read.read_at < known.shrunk_at + ${SECOND_LOOK_MS}::int * interval '1 millisecond', false) as is_early
      from (
        select account_id, count(*) as count, count(*) filter (where is_lost) as lost from stored group by account_id
      ) counts
      join read using (account_id) left join known using (account_id)
    ), kept as materialized (
      select id, account_id, is_doubted from stored join counted using (account_id)
      where is_missing and case when is_doubted then is_early else is_shrunk end
    ), shrunk as (
      select account_id, case when bool_or(is_doubted) then min(known.shrunk_at) else min(read.read_at) end as since,
        coalesce(array_agg(id) filter (where is_doubted), array_agg(id)) as ids
      from kept join read using (account_id) left join known using (account_id) group by account_id
    )`;

/** Of the upsert of a campaign: a read that was behind shows what our last write has changed, and a later one undoes that. */
const MAY_BE_OURS = sql`exists (
        select from campaign_writes w where w.campaign_id = campaigns.id
          and w.confirmed_at + ${READ_LAG_MS}::int * interval '1 millisecond' >
            case when w.confirmed_status = excluded.status then campaigns.seen_at else excluded.seen_at end)`;

/** Of the upsert of a list: a partial list, or one that began before the stored one, is no look. */
const unlessOutdated = (column: string) =>
  sql`case when excluded.was_whole and excluded.read_at >= campaign_lists.read_at
    then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`campaign_lists.${column}`)} end`;

/**
 * Saves campaign lists from Meta. A status that we wrote after the read began is newer and stays.
 * A list without archived campaigns leaves known archived campaigns as they are. Of many that are missing at once, two
 * lists must lack the same ones.
 * Campaigns with a live hold stay listed: a user must see them to resume them.
 * @returns the new campaigns that SmartPause could pause
 */
export async function saveCampaigns(db: Db, given: readonly CampaignList[]): Promise<NewCampaign[]> {
  if (given.length === 0) return [];
  const lists = [...new Map(given.map((list) => [list.accountId, list])).values()];
  const stored = await storeLists(db, lists);
  await noteEnded(db, lists);
  const changed = stored.flatMap(({ id, accountId }) => (id === null ? accountId : []));
  await updatePriorities(db, changed);
  return stored.flatMap(({ id, name, accountId }) =>
    id === null || name === null ? [] : { id, name, accountId },
  );
}

/**
 * One statement instead of three: a change that commits during it is compared by the next read.
 * @returns the new campaigns, and without an id the ad accounts where something has changed
 */
async function storeLists(db: Db, lists: readonly CampaignList[]) {
  // One statement must not update a row twice; a campaign that moves between pages appears twice.
  const rows = new Map(lists.flatMap((list) => rowsIn(list).map((row) => [row.id, row])));
  const read = lists.map(({ accountId, readAt, isPartial, withArchived = false, ...more }) => {
    const unanswered = more.unanswered === undefined ? null : JSON.stringify([...more.unanswered]);
    const isEmpty = more.campaigns.length === 0;
    return { accountId, readAt, wasWhole: !isPartial, withArchived, isEmpty, unanswered };
  });
  // `known` and `differing` see what was stored before it. Without `differing` each row would be locked.
  const result = await sql<{ id: string | null; accountId: string; name: string | null }>`
    with seen as materialized (select * from ${rowsOf(SEEN, [...rows.values()])}),
    read as materialized (select * from ${rowsOf(READ, read)}),
    known as materialized (
      select account_id, was_whole, read_at, shrunk_at, shrunk_ids from campaign_lists
      where account_id in (select account_id from read)
    ), ${LOST}, read_lists as (
      insert into campaign_lists (account_id, read_at, was_whole, unanswered, shrunk_at, shrunk_ids)
      select account_id, read_at, was_whole, unanswered, since, ids from read left join shrunk using (account_id)
      on conflict (account_id) do update set read_at = greatest(campaign_lists.read_at, excluded.read_at),
        was_whole = campaign_lists.was_whole or excluded.was_whole,
        unanswered = excluded.unanswered,
        shrunk_at = ${unlessOutdated('shrunk_at')}, shrunk_ids = ${unlessOutdated('shrunk_ids')}
    ), gone as (
      update campaigns set is_listed = false, unlisted_at = now() where id = any(array(
        select id from stored where is_missing and id not in (select id from kept)))
    ), differing as (
      select seen.* from seen left join campaigns on campaigns.id = seen.id
      where (campaigns.account_id, campaigns.name, campaigns.objective, campaigns.is_listed, campaigns.is_legacy_advantage)
        is distinct from (seen.account_id, seen.name, seen.objective, true, seen.is_legacy_advantage)
        or (campaigns.daily_budget, campaigns.start_time, campaigns.stop_time)
          is distinct from (seen.daily_budget, seen.start_time, seen.stop_time)
        or (campaigns.seen_at < seen.seen_at and campaigns.status <> seen.status)
        or (campaigns.ended_first_at is not null and seen.status not in ('ARCHIVED', 'DELETED'))
    ), saved as (
    insert into campaigns (id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time,
      stop_time, is_listed, seen_at)
    select id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time,
      stop_time, true, seen_at from differing
    on conflict (id) do update set account_id = excluded.account_id, name = excluded.name,
      objective = excluded.objective, daily_budget = excluded.daily_budget, is_listed = true, unlisted_at = null,
      is_legacy_advantage = excluded.is_legacy_advantage, start_time = excluded.start_time,
      stop_time = excluded.stop_time,
      status = case when campaigns.seen_at < excluded.seen_at then excluded.status else campaigns.status end,
      changed_in_ads_manager_at = case when campaigns.seen_at < excluded.seen_at
        and campaigns.status <> excluded.status and not ${MAY_BE_OURS}
        then excluded.seen_at else campaigns.changed_in_ads_manager_at end,
      seen_at = greatest(campaigns.seen_at, excluded.seen_at),
      ended_first_at = case when excluded.status in ('ARCHIVED', 'DELETED') then campaigns.ended_first_at end,
      ended_last_at = case when excluded.status in ('ARCHIVED', 'DELETED') then campaigns.ended_last_at end
    returning id, account_id, name, status, is_legacy_advantage, (xmax = 0) as is_new
    )
    select id, account_id, name from saved
    where is_new and not is_legacy_advantage and status not in ('ARCHIVED', 'DELETED')
      and account_id in (select account_id from known where was_whole)
    union all select null, account_id, null from (
      select account_id from differing union select account_id from stored where is_missing) changed`.execute(
    db,
  );
  return result.rows;
}

function rowsIn({ campaigns, found = [], accountId, readAt }: CampaignList) {
  const rowOf = (campaign: PlatformCampaign, isInList: boolean) => {
    const { startTime = null, stopTime = null } = campaign;
    return { ...campaign, accountId, startTime, stopTime, seenAt: readAt, isInList };
  };
  return [...campaigns.map((one) => rowOf(one, true)), ...found.map((one) => rowOf(one, false))];
}

/** Reads that do not find a campaign count as two, and so as its end, once they have gone on for long. */
async function noteEnded(db: Db, lists: readonly CampaignList[]): Promise<void> {
  const rows = lists.flatMap(({ ended = [], away = [], readAt }) => [
    ...ended.map((id) => ({ id, readAt, isAway: false })),
    ...away.map((id) => ({ id, readAt, isAway: true })),
  ]);
  if (rows.length === 0) return;
  const types = { id: 'text', readAt: 'timestamptz', isAway: 'boolean' };
  await sql`
    update campaigns set ended_first_at = coalesce(ended_first_at, given.read_at),
      ended_last_at = case when is_away and given.read_at < ended_first_at + ${AWAY_MS}::int * interval '1 millisecond'
        then ended_last_at else greatest(ended_last_at, given.read_at) end
    from ${rowsOf(types, rows)} where campaigns.id = given.id`.execute(db);
}

/** Those that the last reads by id in the ad account had no answer for, and since when. */
export async function findUnanswered(db: Db, accountId: string): Promise<ReadonlyMap<string, Instant>> {
  const list = db.selectFrom('campaignLists').select('unanswered').where('accountId', '=', accountId);
  return new Map((await list.executeTakeFirst())?.unanswered);
}

/** The reads by id that have found these campaigns deleted, archived or away since a list last showed them. */
export async function findEndedReads(db: Db, ids: readonly string[]): Promise<Map<string, EndedReads>> {
  const { rows } = await sql<EndedReads & { id: string }>`
    select id, ended_first_at as "firstAt", ended_last_at as "lastAt" from campaigns
    where id = any(${[...ids]}::text[]) and ended_first_at is not null`.execute(db);
  return new Map(rows.map(({ id, ...reads }) => [id, reads]));
}

export type StoredCampaign = Awaited<ReturnType<typeof listCampaigns>>[number];

/** A held campaign that reads show running. */
const READ_RUNNING_SINCE = sql<Instant | null>`case when holds.state = 'paused' and holds.surprise_status = 'ACTIVE'
  then holds.surprise_since end`;

/** SmartPause ignores a legacy campaign without a hold, whatever the stored setting is. */
const SHOWN_SETTING = sql<SmartPauseSetting>`case when is_legacy_advantage and holds.id is null then 'OFF'
  else coalesce(smartpause_settings.setting, 'OFF') end`;

/** The listed campaigns of an ad account as the user sees them. */
export async function listCampaigns(db: Db, userId: string, accountId: string) {
  return db
    .selectFrom('campaigns')
    .leftJoin('smartpauseSettings', (join) =>
      join
        .onRef('smartpauseSettings.campaignId', '=', 'campaigns.id')
        .on('smartpauseSettings.userId', '=', userId),
    )
    .leftJoin('holds', (join) =>
      join
        .onRef('holds.campaignId', '=', 'campaigns.id')
        .on('holds.userId', '=', userId)
        .on('holds.state', '<>', 'ended'),
    )
    .leftJoin('holds as others', (join) =>
      join
        .onRef('others.campaignId', '=', 'campaigns.id')
        .on('others.userId', '<>', userId)
        .on('others.state', '<>', 'ended'),
    )
    .leftJoin('manualChanges', (join) =>
      join.onRef('manualChanges.campaignId', '=', 'campaigns.id').on('manualChanges.endedAt', 'is', null),
    )
    .leftJoin('adAccounts as own', (join) =>
      join.onRef('own.id', '=', 'campaigns.accountId').on('own.userId', '=', userId),
    )
    .leftJoin('campaignWrites as w', (join) =>
      join
        .onRef('w.campaignId', '=', 'campaigns.id')
        .on('w.userId', '=', userId)
        .on(isRefused(sql`own.writes_blocked_until`)),
    )
    .select(['campaigns.id', 'campaigns.accountId', 'campaigns.name', 'campaigns.status', 'objective'])
    .select(['isLegacyAdvantage', 'startTime', 'stopTime', 'otherSchedule'])
    .select(['w.target as refusedTarget', 'w.refusal', 'w.failureKind as refusedKind'])
    .select((eb) => eb.fn<Instant | null>('greatest', ['w.retryAt', 'own.writesBlockedUntil']).as('retryAt'))
    .select(sql<number | null>`daily_budget::float8`.as('dailyBudget'))
    .select(SHOWN_SETTING.as('smartPauseSetting'))
    .select(sql<boolean>`coalesce(${isPausedBySmartPause}, false)`.as('held'))
    .select(sql<boolean>`(others.id is not null and campaigns.status = 'PAUSED')`.as('heldByOther'))
    .select(['holds.postponedUntil', 'holds.pausedAt', 'holds.testUntil'])
    .select(sql<boolean>`coalesce(${isPausedBySmartPause} and holds.cause = 'user', false)`.as('isPausedAll'))
    .select(
      sql<boolean>`coalesce(${isPausedBySmartPause} and holds.cause = 'early_warning', false)`.as(
        'isPausedEarly',
      ),
    )
    .select(
      sql<Target | null>`coalesce(manual_changes.status, case when coalesce(holds.resume_asked_at, others.resume_asked_at)
        is not null then 'ACTIVE' end)`.as('pendingStatus'),
    )
    .select(READ_RUNNING_SINCE.as('readRunningSince'))
    .where('campaigns.accountId', '=', accountId)
    .where('isListed', '=', true)
    .execute();
}

export type OwnCampaign = Awaited<ReturnType<typeof findOwnCampaigns>>[number];

/** Null if the campaign is not in one of the user's own ad accounts. */
export async function findOwnCampaign(db: Db, userId: string, campaignId: string) {
  return (await findOwnCampaigns(db, userId, [campaignId]))[0] ?? null;
}

/** Those of the campaigns that are in the user's own ad accounts. */
export async function findOwnCampaigns(db: Db, userId: string, ids: readonly string[]) {
  return db
    .selectFrom('campaigns')
    .innerJoin('adAccounts', (join) =>
      join
        .onRef('adAccounts.id', '=', 'campaigns.accountId')
        .on('adAccounts.userId', '=', userId)
        .on('adAccounts.removedAt', 'is', null),
    )
    .leftJoin('smartpauseSettings', (join) =>
      join
        .onRef('smartpauseSettings.campaignId', '=', 'campaigns.id')
        .on('smartpauseSettings.userId', '=', userId),
    )
    .select(['campaigns.id', 'campaigns.accountId', 'campaigns.name', 'campaigns.status'])
    .select((eb) => eb.fn.coalesce('setting', sql.lit('OFF' as const)).as('smartPauseSetting'))
    .select(['isLegacyAdvantage', 'startTime', 'stopTime', 'mayPause'])
    .where(sql<SqlBool>`campaigns.id = any(${[...ids]}::text[])`)
    .execute();
}

export type Watched = Awaited<ReturnType<typeof findWatched>>[number];

/** Campaigns for which the user has turned SmartPause on or off, also those that Meta no longer lists for the user. */
export async function findWatched(db: Db, userId: string, ids: readonly string[]) {
  return db
    .selectFrom('smartpauseSettings as sp')
    .leftJoin('campaigns', 'campaigns.id', 'sp.campaignId')
    .select(['sp.campaignId as id', 'sp.accountId', 'setting as smartPauseSetting'])
    .select((eb) => eb.fn.coalesce('name', 'sp.campaignId').as('name'))
    .where('userId', '=', userId)
    .where(sql<SqlBool>`sp.campaign_id = any(${[...ids]}::text[])`)
    .execute();
}

/** The same setting again is no change. */
export async function saveSmartPause(
  db: Db,
  given: {
    userId: string;
    setting: SmartPauseSetting;
    campaigns: readonly Readonly<Record<'id' | 'accountId', string>>[];
  },
  now: Instant,
): Promise<void> {
  const { userId, setting, campaigns } = given;
  await sql`
    insert into smartpause_settings as sp (user_id, campaign_id, account_id, setting, changed_at)
    select ${userId}, id, account_id, ${setting}, ${timestamp(now)}
    from ${rowsOf({ id: 'text', accountId: 'text' }, campaigns)} order by id
    on conflict (user_id, campaign_id) do update set account_id = excluded.account_id,
      setting = excluded.setting, changed_at = excluded.changed_at where sp.setting <> excluded.setting`.execute(
    db,
  );
  await updatePriorities(db, [...new Set(campaigns.map(({ accountId }) => accountId))]);
}

export async function hasChosenCampaigns(db: Db, userId: string): Promise<boolean> {
  const settings = db.selectFrom('smartpauseSettings').select('userId').where('userId', '=', userId);
  return (await settings.executeTakeFirst()) !== undefined;
}

/** Stores statuses that are known to have been written by us, unless a later read has shown another one. */
export async function saveWrittenStatus(
  db: Db,
  writes: readonly { campaignId: string; confirmed?: { status: string; at: Instant } | null }[],
): Promise<void> {
  const written = writes.flatMap(({ campaignId, confirmed }) =>
    confirmed ? [{ campaignId, ...confirmed }] : [],
  );
  if (written.length === 0) return;
  await sql`
    update campaigns set status = w.status, seen_at = w.at
    from unnest(${written.map((w) => w.campaignId)}::text[], ${written.map((w) => w.status)}::text[],
      ${written.map((w) => new Date(w.at))}::timestamptz[]) as w(id, status, at)
    where campaigns.id = w.id and campaigns.seen_at < w.at`.execute(db);
}

/** Stores the times of pauses with the button in SmartPause; a resume clears it. */
export async function noteManualPauses(
  db: Db,
  changes: readonly { campaignId: string; status: 'ACTIVE' | 'PAUSED' }[],
  now: Instant,
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update campaigns set paused_manually_at = case given.status when 'PAUSED' then ${timestamp(now)} end
    from ${rowsOf({ campaignId: 'text', status: 'text' }, changes)} where id = given.campaign_id`.execute(db);
}

/** The rule of `undelivered` in the core for a row `c` of the table campaigns: its times allow delivery now. */
export const isDelivered = (now: Instant) =>
  sql<SqlBool>`(coalesce(c.stop_time > ${timestamp(now)}, true)
    and coalesce(c.start_time <= ${timestamp(now)}, true))`;
