import { sql } from 'kysely';
import type { RefusedResume } from '#core/reconciler/refusals.ts';
import { NOT_RESUMED_MS } from '#core/reconciler/refusals.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { timestamp } from '../database.ts';
import { isRefused } from './writes.ts';

export interface StoredRefusedResume extends RefusedResume {
  userId: string;
  accountId: string;
  /** Meta's; null: it gave none. */
  words: string | null;
  name: string;
  account: string;
  decidedAt: Instant;
}

/** Of each paused campaign of these users the last resume that Meta refused for good, if it was in the last days. */
export async function findRefusedResumes(
  db: Db,
  userIds: readonly string[],
  now: Instant,
): Promise<StoredRefusedResume[]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<StoredRefusedResume>`
    select distinct on (h.user_id, h.campaign_id) h.user_id, h.campaign_id, h.account_id, h.refusal as words, h.ended_at as at, h.decided_at,
      w.confirmed_at, c.changed_in_ads_manager_at as changed_outside_at, sp.changed_at as turned_at, c.stop_time,
      c.name, coalesce(a.name, h.account_id) as account
    from holds h join campaigns c on c.id = h.campaign_id and c.status = 'PAUSED' and c.is_listed
    left join campaign_writes w on w.campaign_id = h.campaign_id
    left join smartpause_settings sp on sp.user_id = h.user_id and sp.campaign_id = h.campaign_id
    left join ad_accounts a on a.user_id = h.user_id and a.id = h.account_id
    where h.user_id = any(${[...userIds]}::bigint[]) and h.release_reason = 'resume_refused'
      and h.ended_at > ${timestamp(now - NOT_RESUMED_MS)}
    order by h.user_id, h.campaign_id, h.ended_at desc`.execute(db);
  return rows;
}

/** The user's ad accounts with a change that Meta refuses, and those of the given ones that are shown. */
export async function findRefusingAccounts(
  db: Db,
  userId: string,
  accountIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ad_accounts a where user_id = ${userId} and removed_at is null and (
      id = any(${[...accountIds]}::text[])
      or exists (select from campaign_writes w where w.account_id = a.id and w.user_id = a.user_id
        and ${isRefused(sql`a.writes_blocked_until`)})) order by id`.execute(db);
  return rows.map(({ id }) => id);
}
