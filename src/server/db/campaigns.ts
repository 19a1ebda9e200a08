import type { SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { PlatformCampaign } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from './database.ts';
import { rowsOf, timestamp } from './database.ts';
import { isPausedBySmartPause } from './holds/paused-by-smart-pause.ts';

export interface CampaignList {
  accountId: string;
  campaigns: readonly PlatformCampaign[];
  /** Campaigns that are missing stay as they are. */
  isPartial: boolean;
  readAt: Instant;
  /** Whether the request included archived campaigns. */
  withArchived?: boolean;
}

/** A campaign that appears for the first time, in an ad account whose whole list had been read before. */
export interface NewCampaign {
  id: string;
  accountId: string;
  name: string;
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
};
const READ = { accountId: 'text', readAt: 'timestamptz', wasWhole: 'boolean', withArchived: 'boolean' };

/**
 * Saves campaign lists from Meta. A status that we wrote after the read began is newer and stays.
 * A list without archived campaigns leaves known archived campaigns as they are.
 * @returns the new campaigns that SmartPause could pause
 */
export async function saveCampaigns(db: Db, given: readonly CampaignList[]): Promise<NewCampaign[]> {
  if (given.length === 0) return [];
  const lists = [...new Map(given.map((list) => [list.accountId, list])).values()];
  // One statement must not update a row twice; a campaign that moves between pages appears twice.
  const rows = new Map(lists.flatMap((list) => list.campaigns.map((one) => [one.id, rowOf(one, list)])));
  const read = lists.map(({ accountId, readAt, isPartial, withArchived = false }) => {
    return { accountId, readAt, wasWhole: !isPartial, withArchived };
  });
  // One statement instead of three. `known` and `differing` see what was stored before it; a change that commits
  // during it is compared by the next read. Without `differing` each row would be locked.
  const result = await sql<NewCampaign>`
    with seen as materialized (select * from ${rowsOf(SEEN, [...rows.values()])}),
    read as materialized (select * from ${rowsOf(READ, read)}),
    known as materialized (
      select account_id from campaign_lists where account_id in (select account_id from read) and was_whole
    ), read_lists as (
      insert into campaign_lists (account_id, read_at, was_whole) select account_id, read_at, was_whole from read
      on conflict (account_id) do update set read_at = greatest(campaign_lists.read_at, excluded.read_at),
        was_whole = campaign_lists.was_whole or excluded.was_whole
    ), gone as (
      update campaigns set is_listed = false from read where is_listed and campaigns.account_id = read.account_id
        and read.was_whole and (status <> 'ARCHIVED' or read.with_archived)
        and not exists (select from seen where seen.id = campaigns.id)
    ), differing as (
      select seen.* from seen left join campaigns on campaigns.id = seen.id
      where (campaigns.account_id, campaigns.name, campaigns.objective, campaigns.is_listed, campaigns.is_legacy_advantage)
        is distinct from (seen.account_id, seen.name, seen.objective, true, seen.is_legacy_advantage)
        or (campaigns.daily_budget, campaigns.start_time, campaigns.stop_time)
          is distinct from (seen.daily_budget, seen.start_time, seen.stop_time)
        or (campaigns.seen_at < seen.seen_at and campaigns.status <> seen.status)
    ), saved as (
    insert into campaigns (id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time,
      stop_time, is_listed, seen_at)
    select id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time,
      stop_time, true, seen_at from differing
    on conflict (id) do update set account_id = excluded.account_id, name = excluded.name,
      objective = excluded.objective, daily_budget = excluded.daily_budget, is_listed = true,
      is_legacy_advantage = excluded.is_legacy_advantage, start_time = excluded.start_time,
      stop_time = excluded.stop_time,
      status = case when campaigns.seen_at < excluded.seen_at then excluded.status else campaigns.status end,
      changed_in_ads_manager_at = case when campaigns.seen_at < excluded.seen_at
        and campaigns.status <> excluded.status then excluded.seen_at else campaigns.changed_in_ads_manager_at end,
      seen_at = greatest(campaigns.seen_at, excluded.seen_at)
    returning id, account_id, name, status, is_legacy_advantage, (xmax = 0) as is_new
    )
    select id, account_id, name from saved
    where is_new and not is_legacy_advantage and status not in ('ARCHIVED', 'DELETED')
      and account_id in (select account_id from known)`.execute(db);
  return result.rows;
}

function rowOf(campaign: PlatformCampaign, { accountId, readAt }: CampaignList) {
  const { startTime = null, stopTime = null } = campaign;
  return { ...campaign, accountId, startTime, stopTime, seenAt: readAt };
}

export type StoredCampaign = Awaited<ReturnType<typeof listCampaigns>>[number];

/** The listed campaigns of an ad account as the user sees them. */
export async function listCampaigns(db: Db, userId: string, accountId: string) {
  return (
    db
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
      .select(['campaigns.id', 'campaigns.accountId', 'name', 'campaigns.status', 'objective'])
      .select(['isLegacyAdvantage', 'startTime', 'stopTime'])
      .select(sql<number | null>`daily_budget::float8`.as('dailyBudget'))
      // SmartPause ignores a legacy campaign without a hold, whatever the stored setting is.
      .select(
        sql<SmartPauseSetting>`case when is_legacy_advantage and holds.id is null then 'OFF'
        else coalesce(smartpause_settings.setting, 'OFF') end`.as('smartPauseSetting'),
      )
      .select(sql<boolean>`coalesce(${isPausedBySmartPause}, false)`.as('held'))
      .select(sql<boolean>`(others.id is not null and campaigns.status = 'PAUSED')`.as('heldByOther'))
      .select(['holds.pausedAt', 'holds.testUntil', 'manualChanges.status as pendingStatus'])
      .where('campaigns.accountId', '=', accountId)
      .where('isListed', '=', true)
      .execute()
  );
}

export type OwnCampaign = NonNullable<Awaited<ReturnType<typeof findOwnCampaign>>>;

/** Null if the campaign is not in one of the user's own ad accounts. */
export async function findOwnCampaign(db: Db, userId: string, campaignId: string) {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('adAccounts', (join) =>
      join.onRef('adAccounts.id', '=', 'campaigns.accountId').on('adAccounts.userId', '=', userId),
    )
    .leftJoin('smartpauseSettings', (join) =>
      join
        .onRef('smartpauseSettings.campaignId', '=', 'campaigns.id')
        .on('smartpauseSettings.userId', '=', userId),
    )
    .select(['campaigns.id', 'campaigns.accountId', 'campaigns.name', 'campaigns.status'])
    .select((eb) => eb.fn.coalesce('setting', sql.lit('OFF' as const)).as('smartPauseSetting'))
    .select(['isLegacyAdvantage', 'startTime', 'stopTime', 'mayPause'])
    .where('campaigns.id', '=', campaignId)
    .executeTakeFirst();
  return row ?? null;
}

/** Also finds a campaign that Meta no longer lists for the user. */
export async function findWatched(
  db: Db,
  userId: string,
  { accountId, campaignId }: { accountId: string; campaignId: string },
) {
  const row = await db
    .selectFrom('smartpauseSettings as sp')
    .leftJoin('campaigns', 'campaigns.id', 'sp.campaignId')
    .select(['sp.campaignId as id', 'sp.accountId', 'setting as smartPauseSetting'])
    .select((eb) => eb.fn.coalesce('name', 'sp.campaignId').as('name'))
    .where('userId', '=', userId)
    .where('sp.campaignId', '=', campaignId)
    .where('sp.accountId', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** The same setting again is no change. */
export async function saveSmartPause(
  db: Db,
  given: { userId: string; campaignId: string; accountId: string; setting: SmartPauseSetting },
  now: Instant,
): Promise<void> {
  const { userId, campaignId, accountId, setting } = given;
  await sql`
    insert into smartpause_settings as sp (user_id, campaign_id, account_id, setting, changed_at)
    values (${userId}, ${campaignId}, ${accountId}, ${setting}, ${timestamp(now)})
    on conflict (user_id, campaign_id) do update set account_id = excluded.account_id,
      setting = excluded.setting, changed_at = excluded.changed_at where sp.setting <> excluded.setting`.execute(
    db,
  );
  await updatePriority(db, accountId);
}

/** Of the account's work item: the daily budgets of its campaigns with SmartPause on. */
export async function updatePriority(db: Db, accountId: string): Promise<void> {
  await sql`
    update work_items set priority = coalesce((
      select sum(coalesce(c.daily_budget, 0)) from smartpause_settings sp join campaigns c on c.id = sp.campaign_id
      where sp.account_id = ${accountId} and sp.setting = 'ON'), 0)
    where account_id = ${accountId}`.execute(db);
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
  for (const { campaignId, status } of changes) {
    const pausedManuallyAt = status === 'PAUSED' ? new Date(now) : null;
    await db.updateTable('campaigns').set({ pausedManuallyAt }).where('id', '=', campaignId).execute();
  }
}

/**
 * Deletes ad accounts without users, with their campaigns and work items.
 * Repeated as a scheduled task, since a reconciler pass that ran during the removal may insert them again.
 */
export async function dropOrphanedAccounts(db: Db, accountId: string | null = null): Promise<void> {
  const isOwnerless = sql<boolean>`(${accountId}::text is null or t.account_id = ${accountId}::text)
    and not exists (select from ad_accounts a where a.id = account_id)
    and not exists (select from smartpause_settings sp where sp.account_id = t.account_id)
    and not exists (select from holds h where h.account_id = t.account_id and h.state <> 'ended')`;
  // The list first: with a list and without its campaigns, all of them would count as new.
  await sql`delete from campaign_lists t where ${isOwnerless}`.execute(db);
  await sql`delete from campaigns t where ${isOwnerless}`.execute(db);
  await sql`delete from work_items t where t.lease_until is null and ${isOwnerless}`.execute(db);
}

/** The rule of `undelivered` in the core for a row `c` of the table campaigns: its times allow delivery now. */
export const isDelivered = (now: Instant) =>
  sql<SqlBool>`(coalesce(c.stop_time > ${timestamp(now)}, true)
    and coalesce(c.start_time <= ${timestamp(now)}, true))`;
