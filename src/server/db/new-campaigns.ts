import { sql } from 'kysely';
import type { OnForNew } from '#core/new-campaigns.ts';
import type { Instant } from '#core/time.ts';
import { planJobs } from './account-jobs.ts';
import type { CampaignList } from './campaigns.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';

/** For saveCampaigns; locks these users. Lock order: users before work items. */
export async function lockOnForNew(tx: Db, accountIds: readonly string[]): Promise<OnForNew[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<OnForNew>`
    select u.id as "userId", a.id as "accountId" from users u join ad_accounts a on a.user_id = u.id
    where u.on_for_new_campaigns and u.initialized_at is not null and u.leaving is null
      and a.id = any(${[...accountIds]}::text[]) and a.lost_at is null and a.removed_at is null and a.may_pause
    order by u.id, a.id for key share of u`.execute(tx);
  return rows;
}

/** Lock order: the work item before the rows that belong to it. */
export async function lockWorkItem(tx: Db, accountId: string): Promise<void> {
  await sql`select from work_items where account_id = ${accountId} for update`.execute(tx);
}

/** The list is the first to show a held campaign running, or ended. */
export async function showsHeldRunning(tx: Db, { accountId, readAt }: CampaignList): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns c join holds h on h.campaign_id = c.id and h.state = 'paused'
    where c.account_id = ${accountId} and c.seen_at = ${timestamp(readAt)} and c.status <> 'PAUSED' limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Never for one that the user turned off. */
export async function turnOn(
  tx: Db,
  campaigns: readonly (OnForNew & { id: string })[],
  now: Instant,
): Promise<void> {
  await sql`
    insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
    select user_id, campaign_id, account_id, 'ON', ${timestamp(now)} from unnest(
      ${campaigns.map(({ userId }) => userId)}::bigint[], ${campaigns.map(({ id }) => id)}::text[],
      ${campaigns.map(({ accountId }) => accountId)}::text[]) as wanted(user_id, campaign_id, account_id)
    on conflict (user_id, campaign_id) do nothing`.execute(tx);
}

/** Users with the wish who can read the list of their ad account. */
const READERS = sql`users u
    join ad_accounts a on a.user_id = u.id and a.lost_at is null and a.removed_at is null and a.may_pause
    join platform_tokens t on t.user_id = u.id and t.rejected_at is null
    where u.on_for_new_campaigns and u.initialized_at is not null and u.leaving is null`;

/** The jobs that users with the wish lack. The first list is what later ones are compared with. */
export async function planNewCampaigns(db: Db): Promise<void> {
  const accounts = sql`select distinct a.id from ${READERS} and not exists (select from account_jobs j
    where j.account_id = a.id and j.kind = 'new_campaigns' and j.due_at is not null)`;
  await planJobs(db, 'new_campaigns', accounts);
}

/** Their ids. */
export async function findListReaders(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from ${READERS} and a.id = ${accountId} order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}
