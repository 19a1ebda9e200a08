import { sql } from 'kysely';
import { LATE_WRITE_MS } from '#core/smartpause/hold.ts';
import type { ManualChange } from '#core/smartpause/manual-change.ts';
import type { ApiErrorCode } from '#contract/errors.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import { date, inPieces, timestamp } from '../database.ts';
import type { Encrypted } from '../../secrets.ts';

/** A manual change with what its write needs. */
export interface StoredManualChange extends ManualChange {
  accountId: string;
  userName: string;
  campaignName: string;
  isSmartPauseOn: boolean;
  /** Null: no token, or Meta has refused it. */
  token: Encrypted | null;
}

/**
 * Stores a user's wish; the reconciler carries it out.
 * @returns its id; null while another change of the campaign is pending. The same wish of the same user is joined.
 */
export async function addManualChange(
  db: Db,
  wish: { userId: string; accountId: string; campaignId: string; status: 'ACTIVE' | 'PAUSED' },
  now: Instant,
): Promise<string | null> {
  const { userId, accountId, campaignId, status } = wish;
  const { rows } = await sql<{ id: string }>`
    insert into manual_changes (user_id, account_id, campaign_id, status, requested_at)
    values (${userId}, ${accountId}, ${campaignId}, ${status}, ${new Date(now)})
    on conflict (campaign_id) where ended_at is null do update set status = excluded.status
      where manual_changes.user_id = excluded.user_id and manual_changes.status = excluded.status
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** Pending changes, and ended ones of which a copy may still arrive. Oldest first. */
export async function findManualChanges(
  db: Db,
  accountIds: readonly string[],
  now: Instant,
): Promise<StoredManualChange[]> {
  interface Row extends Omit<StoredManualChange, 'token'> {
    ciphertext: Uint8Array | null;
    keyId: string | null;
  }
  const { rows } = await sql<Row>`
    select m.id, m.user_id, m.account_id, m.campaign_id, m.status,
      m.requested_at, m.sent_at, m.meta_said, m.ended_at is not null as "isOver",
      users.name as "userName", coalesce(campaigns.name, m.campaign_id) as "campaignName",
      coalesce(sp.setting = 'ON', false) as "isSmartPauseOn", t.ciphertext, t.key_id
    from manual_changes m
    join users on users.id = m.user_id
    left join campaigns on campaigns.id = m.campaign_id
    left join smartpause_settings sp on sp.user_id = m.user_id and sp.campaign_id = m.campaign_id
    left join platform_tokens t on t.user_id = m.user_id and t.rejected_at is null
    where m.account_id = any(${[...accountIds]}::text[])
      and (m.ended_at is null or m.sent_at > ${timestamp(now - LATE_WRITE_MS)})
    order by m.id`.execute(db);
  return rows.map(({ ciphertext, keyId, ...row }) => ({
    ...row,
    token: ciphertext === null || keyId === null ? null : { ciphertext, keyId },
  }));
}

/**
 * When the last copy was sent, stored before the call to Meta. False: the change has ended.
 * @param metaSaid Meta's own words when it refused a copy for good
 */
export async function markManualChangeSent(
  db: Db,
  id: string,
  sentAt: Instant | null,
  metaSaid: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('manualChanges')
    .set({ sentAt: date(sentAt), metaSaid })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * @param end.refusal null: it was carried out
 * @returns false if it had ended already
 */
export async function endManualChange(
  db: Db,
  id: string,
  end: { refusal: ApiErrorCode | null; metaSaid?: string | null; sentAt: Instant | null },
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('manualChanges')
    .set({
      endedAt: new Date(now),
      refusal: end.refusal,
      metaSaid: end.metaSaid ?? null,
      sentAt: date(end.sentAt),
    })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface ManualEnd {
  /** Null: carried out. */
  refusal: ApiErrorCode | null;
  /** Meta's own words when it refused the change for good; null: it did not. */
  metaSaid: string | null;
}

/** Null: still pending. */
export async function findManualOutcome(db: Db, id: string): Promise<ManualEnd | null> {
  const row = await db
    .selectFrom('manualChanges')
    .select(['endedAt', 'refusal', 'metaSaid'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { refusal: 'CAMPAIGN_ACTION_FAILED', metaSaid: null };
  const { metaSaid } = row;
  return row.endedAt === null ? null : { refusal: row.refusal as ApiErrorCode | null, metaSaid };
}

/** Their outcome stands in the activity log. */
export function dropOldManualChanges(db: Db, before: Instant): Promise<void> {
  return inPieces((limit) =>
    sql`delete from manual_changes where id in (
      select id from manual_changes where ended_at < ${timestamp(before)} limit ${limit}
      for update skip locked)`.execute(db),
  );
}
