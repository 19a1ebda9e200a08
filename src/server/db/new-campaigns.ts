import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { planJobs } from './account-jobs.ts';
import type { Activity } from './activities.ts';
import { recordActivities } from './activities.ts';
import { findProtected } from './billing/subscriptions.ts';
import type { CampaignList, NewCampaign } from './campaigns.ts';
import { saveCampaigns } from './campaigns.ts';
import type { Db } from './database.ts';
import { inTransaction, timestamp } from './database.ts';
import { makeSchedulesDue } from './other-schedules.ts';
import { updatePriorities } from './priorities.ts';
import { ensureWorkItem, wake } from './work-items.ts';

/** A user who wants SmartPause on for new campaigns, and one of their ad accounts. */
interface Wish {
  userId: string;
  accountId: string;
}

/** For saveCampaigns; locks these users. Lock order: users before work items. */
export async function lockWishes(tx: Db, accountIds: readonly string[]): Promise<Wish[]> {
  if (accountIds.length === 0) return [];
  const { rows } = await sql<Wish>`
    select u.id as "userId", a.id as "accountId" from users u join ad_accounts a on a.user_id = u.id
    where u.on_for_new_campaigns and u.initialized_at is not null and u.leaving is null
      and a.id = any(${[...accountIds]}::text[]) and a.lost_at is null and a.removed_at is null and a.may_pause
    order by u.id, a.id for key share of u`.execute(tx);
  return rows;
}

/** Saves a campaign list that was read for a page or in the background. True: the reconciler has work now. */
export async function saveListAndTurnOn(db: Db, list: CampaignList, now: Instant): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const wishes = await lockWishes(tx, [list.accountId]);
    // Lock order: the work item before the rows that belong to it.
    if (wishes.length > 0) await ensureWorkItem(tx, list.accountId);
    else await sql`select from work_items where account_id = ${list.accountId} for update`.execute(tx);
    const campaigns = await saveCampaigns(tx, [list]);
    const isSurprising = await wakeForHeld(tx, list);
    return (await turnOnNewCampaigns(tx, { wishes, campaigns }, now)) || isSurprising;
  });
}

/** The reconciler looks at once at a held campaign that this list is the first to show running, or ended. */
async function wakeForHeld(tx: Db, { accountId, readAt }: CampaignList): Promise<boolean> {
  const { rows } = await sql`
    select from campaigns c join holds h on h.campaign_id = c.id and h.state = 'paused'
    where c.account_id = ${accountId} and c.seen_at = ${timestamp(readAt)} and c.status <> 'PAUSED' limit 1`.execute(
    tx,
  );
  if (rows.length === 0) return false;
  await wake(tx, [accountId]);
  return true;
}

/** Turns SmartPause on for new campaigns, never for one that the user turned off. */
export async function turnOnNewCampaigns(
  tx: Db,
  { wishes, campaigns }: { wishes: readonly Wish[]; campaigns: readonly NewCampaign[] },
  now: Instant,
): Promise<boolean> {
  if (wishes.length === 0 || campaigns.length === 0) return false;
  const userIds = wishes.map(({ userId }) => userId);
  const covered = await findProtected(tx, userIds, now);
  const turnedOn = wishes.flatMap((wish) => {
    const fresh = campaigns.filter(({ accountId }) => accountId === wish.accountId);
    return fresh.length > 0 && covered.has(wish.userId) ? [{ ...wish, fresh }] : [];
  });
  if (turnedOn.length === 0) return false;
  const rows = turnedOn.flatMap(({ userId, fresh }) => fresh.map((campaign) => ({ userId, ...campaign })));
  await sql`
    insert into smartpause_settings (user_id, campaign_id, account_id, setting, changed_at)
    select user_id, campaign_id, account_id, 'ON', ${timestamp(now)} from unnest(
      ${rows.map((row) => row.userId)}::bigint[], ${rows.map((row) => row.id)}::text[],
      ${rows.map((row) => row.accountId)}::text[]) as wanted(user_id, campaign_id, account_id)
    on conflict (user_id, campaign_id) do nothing`.execute(tx);
  await recordActivities(tx, turnedOn.flatMap(activitiesOf), now);
  for (const accountId of new Set(turnedOn.map((one) => one.accountId))) {
    await ensureWorkItem(tx, accountId);
    await updatePriorities(tx, [accountId]);
    await wake(tx, [accountId]);
    await makeSchedulesDue(tx, accountId);
  }
  return true;
}

function activitiesOf({ userId, accountId, fresh }: Wish & { fresh: readonly NewCampaign[] }): Activity[] {
  const about = { userId, accountId, actor: 'smartpause', event: 'smartpause_on_new', facts: {} } as const;
  return fresh.map(({ id, name }) => ({ ...about, campaign: { id, name } }));
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
