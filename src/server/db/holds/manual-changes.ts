import { sql } from 'kysely';
import type { ApiErrorCode } from '#contract/errors.ts';
import type { Target } from '#core/reconciler/hold.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { rowsOf, timestamp } from '../database.ts';

/** A user's press of a button, which the reconciler carries out as the campaign's write. */
export interface ManualChange {
  id: string;
  userId: string;
  accountId: string;
  campaignId: string;
  status: Target;
  /** No request waits for it. */
  isOfMany: boolean;
  requestedAt: Instant;
}

/**
 * Stores what a user wants for these campaigns. The same change of the same user is joined.
 * @returns ids by campaign; none while another change of the campaign is pending
 */
export async function addManualChanges(
  db: Db,
  {
    campaigns,
    ...change
  }: Pick<ManualChange, 'userId' | 'status'> & { campaigns: readonly { id: string; accountId: string }[] },
  now: Instant,
): Promise<Map<string, string>> {
  const { userId, status } = change;
  const { rows } = await sql<{ id: string; campaignId: string }>`
    insert into manual_changes (user_id, account_id, campaign_id, status, is_of_many, requested_at)
    select ${userId}, account_id, id, ${status}, ${campaigns.length > 1}, ${timestamp(now)}
    from ${rowsOf({ id: 'text', accountId: 'text' }, campaigns)} order by id
    on conflict (campaign_id) where ended_at is null do update set status = excluded.status
      where manual_changes.user_id = excluded.user_id and manual_changes.status = excluded.status
    returning id, campaign_id`.execute(db);
  return new Map(rows.map(({ id, campaignId }) => [campaignId, id]));
}

/** Pending changes: at most one for each campaign. */
export async function findManualChanges(db: Db, accountIds: readonly string[]): Promise<ManualChange[]> {
  return db
    .selectFrom('manualChanges')
    .select(['id', 'userId', 'accountId', 'campaignId', 'status', 'isOfMany', 'requestedAt'])
    .where('accountId', 'in', [...accountIds])
    .where('endedAt', 'is', null)
    .orderBy('id')
    .execute();
}

export interface ManualEnd {
  /** Null: carried out. */
  failure: ApiErrorCode | null;
  /** Meta's own words when it refused the change for good; null: it did not. */
  refusal: string | null;
}

export async function endManualChanges(
  db: Db,
  ends: readonly (ManualEnd & { id: string })[],
  now: Instant,
): Promise<void> {
  if (ends.length === 0) return;
  await sql`
    update manual_changes m set ended_at = ${timestamp(now)}, failure = e.failure, refusal = e.refusal
    from unnest(${ends.map(({ id }) => id)}::bigint[], ${ends.map(({ failure }) => failure)}::text[],
      ${ends.map(({ refusal }) => refusal)}::text[]) as e(id, failure, refusal)
    where m.id = e.id and m.ended_at is null`.execute(db);
}

/** Null: still pending. */
export async function findManualEnd(db: Db, id: string): Promise<ManualEnd | null> {
  const row = await db
    .selectFrom('manualChanges')
    .select(['endedAt', 'failure', 'refusal'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { failure: 'CAMPAIGN_ACTION_FAILED', refusal: null };
  const { endedAt, failure, refusal } = row;
  return endedAt === null ? null : { failure: failure as ApiErrorCode | null, refusal };
}
