import { sql } from 'kysely';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { Instant } from '#core/time.ts';
import { minutes } from '#core/time.ts';
import type { PlatformAdAccount, PlatformCampaign } from '#core/platform.ts';
import type { Db } from './database.ts';
import { areWritesBlocked } from './blocked-writes.ts';
import { date, inTransaction, timestamp } from './database.ts';
import { isDelivered } from './delivered.ts';
import { isPausedBySmartPause } from './holds/paused-by-smart-pause.ts';

export interface StoredCampaign extends PlatformCampaign {
  accountId: string;
  smartPauseSetting: SmartPauseSetting;
  /** SmartPause has paused the campaign for this user. */
  held: boolean;
  /** When Meta confirmed that pause. */
  heldSince?: Instant;
  /** SmartPause has paused the campaign for another user. */
  heldByOther?: true;
  /** A manual change that is not confirmed yet. */
  pendingStatus?: 'ACTIVE' | 'PAUSED';
  /** A live test has paused it until then. */
  testUntil?: Instant;
}

/** After a refusal an account that Meta lists counts as lost this long, and is read again then. */
const REFUSED_MS = minutes(10);

/** Replaces the user's ad accounts with the list from Meta; a partial list removes none. */
export async function saveAdAccounts(
  db: Db,
  userId: string,
  { value: accounts, isPartial }: { value: readonly PlatformAdAccount[]; isPartial: boolean },
  now: Instant,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The user may have been deleted during the read from Meta.
    const { rows } = await sql`select from users where id = ${userId} for key share`.execute(tx);
    if (rows.length === 0) return;
    const ids = accounts.map((account) => account.id);
    const isOther = sql<boolean>`not (id = any(${ids}::text[]))`;
    if (!isPartial) await tx.deleteFrom('adAccounts').where('userId', '=', userId).where(isOther).execute();
    for (const { id, name, currency, mayPause } of accounts) {
      const row = { name, currency, mayPause, seenAt: new Date(now) };
      // Meta also lists an account that it refuses to the user.
      const lostAt = sql<Instant>`case when ad_accounts.lost_at > ${timestamp(now - REFUSED_MS)} then ad_accounts.lost_at end`;
      await tx
        .insertInto('adAccounts')
        .values({ userId, id, ...row, lostAt: null })
        .onConflict((conflict) => conflict.columns(['userId', 'id']).doUpdateSet({ ...row, lostAt }))
        .execute();
    }
  });
}

export async function listAdAccounts(db: Db, userId: string, now: Instant) {
  return db
    .selectFrom('adAccounts as a')
    .select(['id', 'name', 'currency', 'seenAt', 'mayPause', 'lostAt'])
    .select(areWritesBlocked(now).as('areWritesBlocked'))
    .where('userId', '=', userId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** The user's campaigns with SmartPause on, by ad account. Campaigns that SmartPause does not pause are not protected. */
export async function countProtected(
  db: Db,
  userId: string,
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select c.account_id as id, count(*)::int as count
    from smartpause_settings sp join campaigns c on c.id = sp.campaign_id
    where sp.user_id = ${userId} and sp.setting = 'ON' and c.is_listed and not c.is_legacy_advantage
      and c.status not in ('ARCHIVED', 'DELETED') and ${isDelivered(now)}
    group by c.account_id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface Listing {
  /** When Meta last listed the account for this user. */
  seenAt: Instant;
  /** When the last read of the account's campaign list began; null: never read. */
  readAt: Instant | null;
  /** Meta's rate limit blocks calls for the account now. */
  isBlocked: boolean;
}

/** Null if the ad account is not one of the user's own. */
export async function findListing(db: Db, userId: string, accountId: string): Promise<Listing | null> {
  const row = await db
    .selectFrom('adAccounts')
    .leftJoin('campaignLists', 'campaignLists.accountId', 'adAccounts.id')
    .leftJoin('workItems', 'workItems.accountId', 'adAccounts.id')
    .select(['seenAt', 'readAt'])
    .select(sql<boolean>`coalesce(blocked_until > now(), false)`.as('isBlocked'))
    .where('adAccounts.userId', '=', userId)
    .where('adAccounts.id', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

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

/**
 * Saves campaign lists from Meta. A status that we wrote after the read began is newer and stays.
 * A list without archived campaigns leaves known archived campaigns as they are.
 * @returns the new campaigns that SmartPause could pause
 */
export async function saveCampaigns(db: Db, given: readonly CampaignList[]): Promise<NewCampaign[]> {
  if (given.length === 0) return [];
  const lists = [...new Map(given.map((list) => [list.accountId, list])).values()];
  const seen = lists.flatMap(({ accountId, campaigns, readAt }) =>
    campaigns.map((campaign) => ({ ...campaign, accountId, readAt: new Date(readAt) })),
  );
  // One statement must not update a row twice; a campaign that moves between pages appears twice.
  const rows = [...new Map(seen.map((row) => [row.id, row])).values()];
  const accountIds = lists.map((list) => list.accountId);
  const wholeIds = lists.filter((list) => !list.isPartial).map((list) => list.accountId);
  const withArchived = lists.filter((list) => list.withArchived === true).map((list) => list.accountId);
  // One statement instead of three. No campaign is in two of the parts.
  // The part `known` sees the lists as they were before this statement.
  const result = await sql<NewCampaign>`
    with known as materialized (
      select account_id from campaign_lists where account_id = any(${accountIds}::text[]) and was_whole
    ), read_lists as (
      insert into campaign_lists (account_id, read_at, was_whole)
      select * from unnest(${accountIds}::text[], ${lists.map((l) => new Date(l.readAt))}::timestamptz[],
        ${lists.map((l) => !l.isPartial)}::boolean[])
      on conflict (account_id) do update set read_at = greatest(campaign_lists.read_at, excluded.read_at),
        was_whole = campaign_lists.was_whole or excluded.was_whole
    ), gone as (
      update campaigns set is_listed = false where is_listed and account_id = any(${wholeIds}::text[])
        and not (id = any(${rows.map((r) => r.id)}::text[]))
        and (status <> 'ARCHIVED' or account_id = any(${withArchived}::text[]))
    ), saved as (
    insert into campaigns (id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time,
      stop_time, is_listed, seen_at)
    select id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time, stop_time, true,
      seen_at from unnest(
      ${rows.map((r) => r.id)}::text[], ${rows.map((r) => r.accountId)}::text[], ${rows.map((r) => r.name)}::text[],
      ${rows.map((r) => r.status)}::text[], ${rows.map((r) => r.objective)}::text[],
      ${rows.map((r) => r.dailyBudget)}::bigint[], ${rows.map((r) => r.isLegacyAdvantage)}::boolean[],
      ${rows.map((r) => date(r.startTime ?? null))}::timestamptz[],
      ${rows.map((r) => date(r.stopTime ?? null))}::timestamptz[], ${rows.map((r) => r.readAt)}::timestamptz[]
    ) as seen(id, account_id, name, status, objective, daily_budget, is_legacy_advantage, start_time, stop_time, seen_at)
    on conflict (id) do update set account_id = excluded.account_id, name = excluded.name,
      objective = excluded.objective, daily_budget = excluded.daily_budget, is_listed = true,
      is_legacy_advantage = excluded.is_legacy_advantage, start_time = excluded.start_time,
      stop_time = excluded.stop_time,
      status = case when campaigns.seen_at < excluded.seen_at then excluded.status else campaigns.status end,
      changed_in_ads_manager_at = case when campaigns.seen_at < excluded.seen_at
        and campaigns.status <> excluded.status then excluded.seen_at else campaigns.changed_in_ads_manager_at end,
      seen_at = greatest(campaigns.seen_at, excluded.seen_at)
    where (campaigns.account_id, campaigns.name, campaigns.objective, campaigns.is_listed, campaigns.is_legacy_advantage)
      is distinct from (excluded.account_id, excluded.name, excluded.objective, true, excluded.is_legacy_advantage)
      or (campaigns.daily_budget, campaigns.start_time, campaigns.stop_time)
        is distinct from (excluded.daily_budget, excluded.start_time, excluded.stop_time)
      or (campaigns.seen_at < excluded.seen_at and campaigns.status <> excluded.status)
    returning id, account_id, name, status, is_legacy_advantage, (xmax = 0) as is_new
    )
    select id, account_id, name from saved
    where is_new and not is_legacy_advantage and status not in ('ARCHIVED', 'DELETED')
      and account_id in (select account_id from known) order by account_id, name, id`.execute(db);
  return result.rows;
}

export async function listCampaigns(db: Db, userId: string, accountId: string): Promise<StoredCampaign[]> {
  const rows = await db
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
        .on('others.state', '<>', 'ended')
        .on('others.testUntil', 'is', null),
    )
    .leftJoin('manualChanges', (join) =>
      join.onRef('manualChanges.campaignId', '=', 'campaigns.id').on('manualChanges.endedAt', 'is', null),
    )
    .select(['campaigns.id', 'campaigns.accountId', 'name', 'campaigns.status', 'objective'])
    .select(['dailyBudget', 'isLegacyAdvantage'])
    .select(['smartpauseSettings.setting', 'holds.id as holdId', isPausedBySmartPause.as('held')])
    .select(['manualChanges.status as pending', 'holds.testUntil', 'holds.pausedAt', 'startTime', 'stopTime'])
    .select('others.id as othersId')
    .where('campaigns.accountId', '=', accountId)
    .where('isListed', '=', true)
    .execute();
  return rows.map(
    ({ dailyBudget, setting, holdId, held, othersId, pending, testUntil, pausedAt, ...campaign }) => ({
      ...campaign,
      dailyBudget: dailyBudget === null ? null : Number(dailyBudget),
      // SmartPause ignores a legacy campaign without a hold, whatever the stored setting is.
      smartPauseSetting: campaign.isLegacyAdvantage && holdId === null ? 'OFF' : (setting ?? 'OFF'),
      // Null without a hold.
      held: held === true,
      ...(held === true && pausedAt !== null && { heldSince: pausedAt }),
      ...(othersId !== null && campaign.status === 'PAUSED' && { heldByOther: true }),
      ...(pending !== null && { pendingStatus: pending }),
      ...(testUntil !== null && { testUntil }),
    }),
  );
}

export type OwnCampaign = Omit<
  StoredCampaign,
  'objective' | 'dailyBudget' | 'held' | 'heldSince' | 'heldByOther' | 'pendingStatus' | 'testUntil'
> & { mayPause: boolean };

/** Null if the campaign is not in one of the user's own ad accounts. */
export async function findOwnCampaign(
  db: Db,
  userId: string,
  campaignId: string,
): Promise<OwnCampaign | null> {
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
  given: { accountId: string; campaignId: string },
): Promise<Omit<OwnCampaign, 'isLegacyAdvantage' | 'mayPause' | 'status' | 'startTime' | 'stopTime'> | null> {
  const row = await db
    .selectFrom('smartpauseSettings')
    .leftJoin('campaigns', 'campaigns.id', 'smartpauseSettings.campaignId')
    .select(['smartpauseSettings.campaignId as id', 'smartpauseSettings.accountId'])
    .select((eb) => eb.fn.coalesce('name', 'smartpauseSettings.campaignId').as('name'))
    .select('setting as smartPauseSetting')
    .where('userId', '=', userId)
    .where('smartpauseSettings.campaignId', '=', given.campaignId)
    .where('smartpauseSettings.accountId', '=', given.accountId)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveSmartPause(
  db: Db,
  given: { userId: string; campaignId: string; accountId: string; setting: SmartPauseSetting },
  now: Instant,
): Promise<void> {
  const row = { accountId: given.accountId, setting: given.setting, changedAt: new Date(now) };
  await db
    .insertInto('smartpauseSettings')
    .values({ userId: given.userId, campaignId: given.campaignId, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'campaignId'])
        .doUpdateSet(row)
        // The same setting again is no change.
        .where('smartpauseSettings.setting', '<>', given.setting),
    )
    .execute();
  await updatePriority(db, given.accountId);
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
  const row = await db
    .selectFrom('smartpauseSettings')
    .select('userId')
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a status that we wrote to Meta. */
export async function saveWrittenStatus(
  db: Db,
  written: readonly { campaignId: string; status: string }[],
  now: Instant,
): Promise<void> {
  if (written.length === 0) return;
  await sql`
    update campaigns set status = w.status, seen_at = ${timestamp(now)}
    from unnest(${written.map((w) => w.campaignId)}::text[], ${written.map((w) => w.status)}::text[])
      as w(id, status)
    where campaigns.id = w.id`.execute(db);
}

/** Stores the times of pauses with the button in SmartPause; a resume clears it. */
export async function noteManualPauses(
  db: Db,
  changes: readonly { campaignId: string; status: 'ACTIVE' | 'PAUSED' }[],
  now: Instant,
): Promise<void> {
  for (const { campaignId, status } of changes) {
    const at = status === 'PAUSED' ? new Date(now) : null;
    await db.updateTable('campaigns').set({ pausedManuallyAt: at }).where('id', '=', campaignId).execute();
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
