import { sql } from 'kysely';
import { NOT_RESUMED_MS } from '#core/reconciler/refusals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isRefused } from './writes.ts';

/**
 * The user's paused campaigns whose resume Meta refused for good, until SmartPause has changed the campaign since, a
 * read has shown a change outside it, or the user has turned SmartPause on or off.
 */
const notResumed = (userId: string, now: Instant) => sql`
    (select distinct on (h.campaign_id) h.campaign_id, h.account_id, h.refusal as words, h.ended_at as at
    from holds h join campaigns c on c.id = h.campaign_id and c.status = 'PAUSED' and c.is_listed
    left join campaign_writes w on w.campaign_id = h.campaign_id
    left join smartpause_settings sp on sp.user_id = h.user_id and sp.campaign_id = h.campaign_id
    where h.user_id = ${userId} and h.release_reason = 'resume_refused' and h.ended_at > ${timestamp(now - NOT_RESUMED_MS)}
      and coalesce(c.stop_time > ${timestamp(now)}, true)
      and greatest(w.confirmed_at, c.changed_in_ads_manager_at, sp.changed_at) <= h.ended_at
    order by h.campaign_id, h.ended_at desc)`;

export interface NotResumed {
  /** Meta's; null: it gave none. */
  words: string | null;
  at: Instant;
}

/** By campaign. */
export async function findNotResumed(db: Db, userId: string, now: Instant): Promise<Map<string, NotResumed>> {
  const { rows } = await sql<NotResumed & { campaignId: string }>`
    select campaign_id, words, at from ${notResumed(userId, now)} as left_paused`.execute(db);
  return new Map(rows.map(({ campaignId, ...one }) => [campaignId, one]));
}

/** The same with their names, for the last email to the user. */
export async function findLeftPaused(db: Db, userId: string, now: Instant) {
  const { rows } = await sql<
    NotResumed & { campaignId: string; name: string; accountId: string; account: string }
  >`
    select left_paused.*, c.name, coalesce(a.name, left_paused.account_id) as account
    from ${notResumed(userId, now)} as left_paused join campaigns c on c.id = left_paused.campaign_id
    left join ad_accounts a on a.user_id = ${userId} and a.id = left_paused.account_id
    order by left_paused.campaign_id`.execute(db);
  return rows;
}

/** The user's ad accounts with a change that Meta refuses, or with a resume that it refused for good. */
export async function findRefusingAccounts(db: Db, userId: string, now: Instant): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_accounts a where user_id = ${userId} and removed_at is null and (
      id in (select account_id from ${notResumed(userId, now)} as left_paused)
      or exists (select from campaign_writes w where w.account_id = a.id and w.user_id = a.user_id
        and ${isRefused(sql`a.writes_blocked_until`)})) order by id`.execute(db);
  return rows.map(({ id }) => id);
}
