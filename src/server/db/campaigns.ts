import { sql } from 'kysely';
import { z } from 'zod';
import type { SmartPauseSetting } from '#core/campaign.ts';
import { SMART_PAUSE_SETTINGS } from '#core/campaign.ts';
import type { Instant } from '#core/time.ts';
import type { PlatformAdAccount, PlatformCampaign } from '#core/platform.ts';
import type { Db } from './database.ts';
import { inTransaction, instant } from './database.ts';
import { isPausedBySmartPause } from './holds/paused-by-smart-pause.ts';

const setting = z.enum(SMART_PAUSE_SETTINGS);

export interface StoredAdAccount {
  id: string;
  name: string;
  currency: string;
}

export interface StoredCampaign {
  id: string;
  accountId: string;
  name: string;
  status: string;
  objective: string;
  dailyBudget: number | null;
  isLegacyAdvantage: boolean;
  smartPauseSetting: SmartPauseSetting;
  /** Paused by this person's SmartPause. */
  held: boolean;
}

/** Keeps the accounts the platform lists for this person; one it no longer lists is no longer theirs. */
export async function saveAdAccounts(
  db: Db,
  personId: string,
  accounts: readonly PlatformAdAccount[],
  now: Instant,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Whoever was deleted while Meta was asked has none.
    const { rows } = await sql`select from person where id = ${personId} for key share`.execute(tx);
    if (rows.length === 0) return;
    const ids = accounts.map((account) => account.id);
    await sql`delete from ad_account where person_id = ${personId} and not (id = any(${ids}::text[]))`.execute(
      tx,
    );
    for (const { id, name, currency, accountStatus } of accounts) {
      const row = { name, currency, account_status: accountStatus, seen_at: new Date(now), lost_at: null };
      await tx
        .insertInto('ad_account')
        .values({ person_id: personId, id, ...row })
        .onConflict((conflict) => conflict.columns(['person_id', 'id']).doUpdateSet(row))
        .execute();
    }
  });
}

export async function listAdAccounts(db: Db, personId: string): Promise<StoredAdAccount[]> {
  return db
    .selectFrom('ad_account')
    .select(['id', 'name', 'currency'])
    .where('person_id', '=', personId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export async function ownsAdAccount(db: Db, personId: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ad_account')
    .select('id')
    .where('person_id', '=', personId)
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Listing {
  /** When the platform last listed the account for this person. */
  seenAt: Instant;
  /** When the account's list of campaigns was last asked for; null: never. */
  readAt: Instant | null;
  /** Until when the platform wants the account to be left alone. */
  blockedUntil: Instant | null;
}

/** What is known of the list of campaigns in one of the person's own ad accounts; null for everybody else's. */
export async function findListing(db: Db, personId: string, accountId: string): Promise<Listing | null> {
  const row = await db
    .selectFrom('ad_account')
    .leftJoin('campaign_list', 'campaign_list.account_id', 'ad_account.id')
    .leftJoin('lane', 'lane.account_id', 'ad_account.id')
    .select(['ad_account.seen_at', 'campaign_list.read_at', 'lane.blocked_until'])
    .where('ad_account.person_id', '=', personId)
    .where('ad_account.id', '=', accountId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    seenAt: instant(row.seen_at),
    readAt: instant(row.read_at),
    blockedUntil: instant(row.blocked_until),
  };
}

/** When the platform last told this person's ad accounts; null: never, or there are none. */
export async function adAccountsSeenAt(db: Db, personId: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('ad_account')
    .select((eb) => eb.fn.max('seen_at').as('at'))
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return instant(row?.at ?? null);
}

export interface CampaignList {
  accountId: string;
  campaigns: readonly PlatformCampaign[];
  /** When the reading began. */
  readAt: Instant;
  /** Whether archived campaigns were asked for. */
  withArchived?: boolean;
}

/**
 * Keeps what the platform listed for an account. A status that we wrote after the reading began is newer than
 * the reading and stays. A list without archived campaigns says nothing of those that are known to be archived.
 */
export async function saveCampaigns(db: Db, given: readonly CampaignList[]): Promise<void> {
  if (given.length === 0) return;
  const lists = [...new Map(given.map((list) => [list.accountId, list])).values()];
  const seen = lists.flatMap(({ accountId, campaigns, readAt }) =>
    campaigns.map((campaign) => ({ ...campaign, accountId, readAt: new Date(readAt) })),
  );
  // One statement may not touch a row twice, and a list that moved between two pages can name a campaign twice.
  const rows = [...new Map(seen.map((row) => [row.id, row])).values()];
  const accountIds = lists.map((list) => list.accountId);
  const withArchived = lists.filter((list) => list.withArchived === true).map((list) => list.accountId);
  // One way to the database instead of three. No campaign is in two of the parts.
  await sql`
    with read_lists as (
      insert into campaign_list (account_id, read_at)
      select * from unnest(${accountIds}::text[], ${lists.map((l) => new Date(l.readAt))}::timestamptz[])
      on conflict (account_id) do update set read_at = greatest(campaign_list.read_at, excluded.read_at)
    ), gone as (
      update campaign set listed = false where listed and account_id = any(${accountIds}::text[])
        and not (id = any(${rows.map((r) => r.id)}::text[]))
        and (status <> 'ARCHIVED' or account_id = any(${withArchived}::text[]))
    )
    insert into campaign (id, account_id, name, status, objective, daily_budget, is_legacy_advantage, listed, seen_at)
    select id, account_id, name, status, objective, daily_budget, is_legacy_advantage, true, seen_at from unnest(
      ${rows.map((r) => r.id)}::text[], ${rows.map((r) => r.accountId)}::text[], ${rows.map((r) => r.name)}::text[],
      ${rows.map((r) => r.status)}::text[], ${rows.map((r) => r.objective)}::text[],
      ${rows.map((r) => r.dailyBudget)}::bigint[], ${rows.map((r) => r.isLegacyAdvantage)}::boolean[],
      ${rows.map((r) => r.readAt)}::timestamptz[]
    ) as seen(id, account_id, name, status, objective, daily_budget, is_legacy_advantage, seen_at)
    on conflict (id) do update set account_id = excluded.account_id, name = excluded.name,
      objective = excluded.objective, daily_budget = excluded.daily_budget, listed = true,
      is_legacy_advantage = excluded.is_legacy_advantage,
      status = case when campaign.seen_at < excluded.seen_at then excluded.status else campaign.status end,
      seen_at = greatest(campaign.seen_at, excluded.seen_at)
    where (campaign.account_id, campaign.name, campaign.objective, campaign.listed, campaign.is_legacy_advantage)
      is distinct from (excluded.account_id, excluded.name, excluded.objective, true, excluded.is_legacy_advantage)
      or campaign.daily_budget is distinct from excluded.daily_budget
      or (campaign.seen_at < excluded.seen_at and campaign.status <> excluded.status)`.execute(db);
}

/** When the account's list was last read from the platform; null: never. */
export async function campaignListReadAt(db: Db, accountId: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('campaign_list')
    .select('read_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row === undefined ? null : instant(row.read_at);
}

export async function listCampaigns(db: Db, personId: string, accountId: string): Promise<StoredCampaign[]> {
  const rows = await db
    .selectFrom('campaign')
    .leftJoin('smart_pause', (join) =>
      join.onRef('smart_pause.campaign_id', '=', 'campaign.id').on('smart_pause.person_id', '=', personId),
    )
    .leftJoin('hold', (join) =>
      join
        .onRef('hold.campaign_id', '=', 'campaign.id')
        .on('hold.person_id', '=', personId)
        .on('hold.state', '<>', 'ended'),
    )
    .select(['campaign.id', 'campaign.account_id', 'name', 'status', 'objective', 'daily_budget'])
    .select('is_legacy_advantage')
    .select(['smart_pause.setting', 'hold.id as hold_id', isPausedBySmartPause.as('held')])
    .where('campaign.account_id', '=', accountId)
    .where('listed', '=', true)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    status: row.status,
    objective: row.objective,
    dailyBudget: row.daily_budget === null ? null : Number(row.daily_budget),
    isLegacyAdvantage: row.is_legacy_advantage,
    // SmartPause does nothing for a legacy campaign unless it holds it, whatever was set before.
    smartPauseSetting:
      row.is_legacy_advantage && row.hold_id === null ? 'OFF' : setting.parse(row.setting ?? 'OFF'),
    // Null without a hold.
    held: row.held === true,
  }));
}

export interface OwnCampaign {
  id: string;
  accountId: string;
  name: string;
  smartPauseSetting: SmartPauseSetting;
  isLegacyAdvantage: boolean;
}

/** A campaign in one of the person's own ad accounts; null for everything else. */
export async function findOwnCampaign(
  db: Db,
  personId: string,
  campaignId: string,
): Promise<OwnCampaign | null> {
  const row = await db
    .selectFrom('campaign')
    .innerJoin('ad_account', (join) =>
      join.onRef('ad_account.id', '=', 'campaign.account_id').on('ad_account.person_id', '=', personId),
    )
    .leftJoin('smart_pause', (join) =>
      join.onRef('smart_pause.campaign_id', '=', 'campaign.id').on('smart_pause.person_id', '=', personId),
    )
    .select(['campaign.id', 'campaign.account_id', 'campaign.name', 'smart_pause.setting'])
    .select('is_legacy_advantage')
    .where('campaign.id', '=', campaignId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    smartPauseSetting: setting.parse(row.setting ?? 'OFF'),
    isLegacyAdvantage: row.is_legacy_advantage,
  };
}

/** A campaign that the person has set SmartPause for, also when the platform no longer lists it for them. */
export async function findWatched(
  db: Db,
  personId: string,
  given: { accountId: string; campaignId: string },
): Promise<Omit<OwnCampaign, 'isLegacyAdvantage'> | null> {
  const row = await db
    .selectFrom('smart_pause')
    .leftJoin('campaign', 'campaign.id', 'smart_pause.campaign_id')
    .select(['smart_pause.campaign_id', 'smart_pause.account_id', 'campaign.name', 'setting'])
    .where('person_id', '=', personId)
    .where('smart_pause.campaign_id', '=', given.campaignId)
    .where('smart_pause.account_id', '=', given.accountId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.campaign_id,
    accountId: row.account_id,
    name: row.name ?? row.campaign_id,
    smartPauseSetting: setting.parse(row.setting),
  };
}

export async function saveSmartPause(
  db: Db,
  given: { personId: string; campaignId: string; accountId: string; setting: SmartPauseSetting },
  now: Instant,
): Promise<void> {
  const row = { account_id: given.accountId, setting: given.setting, changed_at: new Date(now) };
  await db
    .insertInto('smart_pause')
    .values({ person_id: given.personId, campaign_id: given.campaignId, ...row })
    .onConflict((conflict) => conflict.columns(['person_id', 'campaign_id']).doUpdateSet(row))
    .execute();
  await sql`
    update lane set priority = coalesce((
      select sum(coalesce(c.daily_budget, 0)) from smart_pause sp join campaign c on c.id = sp.campaign_id
      where sp.account_id = ${given.accountId} and sp.setting = 'ON'), 0)
    where account_id = ${given.accountId}`.execute(db);
}

/** Notes a status that we wrote ourselves. */
export async function saveWrittenStatus(
  db: Db,
  written: readonly { campaignId: string; status: string }[],
  now: Instant,
): Promise<void> {
  if (written.length === 0) return;
  await sql`
    update campaign set status = w.status, seen_at = ${new Date(now)}::timestamptz
    from unnest(${written.map((w) => w.campaignId)}::text[], ${written.map((w) => w.status)}::text[])
      as w(id, status)
    where campaign.id = w.id`.execute(db);
}

/** A hand has paused it, or resumed it, through us. */
export async function notePausedByHand(
  db: Db,
  campaignId: string,
  status: 'ACTIVE' | 'PAUSED',
  now: Instant,
): Promise<void> {
  const at = status === 'PAUSED' ? new Date(now) : null;
  await db.updateTable('campaign').set({ paused_by_hand_at: at }).where('id', '=', campaignId).execute();
}

/**
 * Forgets ad accounts that are nobody's any more, with their campaigns and lanes. A turn that was on its way when its
 * last person left may write them once more, so this comes round.
 */
export async function dropOrphanedAccounts(db: Db, accountId: string | null = null): Promise<void> {
  const isNobodys = sql<boolean>`(${accountId}::text is null or t.account_id = ${accountId}::text)
    and not exists (select from ad_account a where a.id = account_id)
    and not exists (select from smart_pause sp where sp.account_id = t.account_id)
    and not exists (select from hold h where h.account_id = t.account_id and h.state <> 'ended')`;
  await sql`delete from campaign t where ${isNobodys}`.execute(db);
  await sql`delete from campaign_list t where ${isNobodys}`.execute(db);
  await sql`delete from lane t where t.lease_until is null and ${isNobodys}`.execute(db);
}

/** For how many campaigns the person has SmartPause on. */
export async function countWatched(db: Db, personId: string): Promise<number> {
  const row = await db
    .selectFrom('smart_pause')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('person_id', '=', personId)
    .where('setting', '=', 'ON')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
