import { sql } from 'kysely';
import type { Instant } from '../../src/core/time.ts';
import { minutes } from '../../src/core/time.ts';
import type { Encrypted } from '../../src/server/secrets.ts';
import type { Db } from '../../src/server/db/database.ts';
import { date, inTransaction, onlyRow } from '../../src/server/db/database.ts';
import { dropAllLeases, makeDue } from '../../src/server/db/work-items.ts';

/** Maximum difference between our clock and Meta's, and between Meta's log and our row. */
const APART_MS = minutes(2);

/** A user whose token can read an ad account. */
export interface Reader {
  accountId: string;
  userId: string;
  token: Encrypted;
}

export interface KnownAccount {
  readers: Reader[];
  /** Meta has refused access to all users of the account that we know. */
  isLost: boolean;
}

/** All known ad accounts by id, including those without a usable token. */
export async function findAccounts(db: Db): Promise<Map<string, KnownAccount>> {
  const rows = await db
    .selectFrom('ad_account')
    .leftJoin('platform_token', (join) =>
      join
        .onRef('platform_token.user_id', '=', 'ad_account.user_id')
        .on('platform_token.refused_at', 'is', null),
    )
    .select(['ad_account.id', 'ad_account.user_id', 'lost_at', 'ciphertext', 'key_id'])
    .orderBy('ad_account.id')
    .orderBy('ad_account.user_id')
    .execute();
  const accounts = new Map<string, KnownAccount>();
  for (const { id, user_id, lost_at, ciphertext, key_id } of rows) {
    const account = accounts.get(id) ?? { readers: [], isLost: true };
    accounts.set(id, account);
    if (lost_at !== null) continue;
    account.isLost = false;
    if (ciphertext !== null && key_id !== null)
      account.readers.push({ accountId: id, userId: user_id, token: { ciphertext, keyId: key_id } });
  }
  return accounts;
}

/** The last change of a campaign, if Meta's log names SmartPause as its author. */
export interface OwnChange {
  accountId: string;
  campaignId: string;
  to: 'ACTIVE' | 'PAUSED';
  at: Instant;
}

/** The stored data of a campaign with such a change. */
export interface KnownOfCampaign {
  name: string;
  /** The live hold. */
  hold: { id: string; isResuming: boolean } | null;
  /** A hold of that time or a manual pause explains the change. */
  isPauseKnown: boolean;
  /** A user with SmartPause on and access to the campaign; null: none. */
  wantedBy: string | null;
}

export async function knownOf(db: Db, { campaignId, at }: OwnChange): Promise<KnownOfCampaign> {
  const since = sql`${new Date(at - APART_MS)}::timestamptz`;
  const result = await sql<KnownOfCampaign>`
    select coalesce((select name from campaign where id = ${campaignId}), ${campaignId}) as name,
      (select json_build_object('id', id::text, 'isResuming', state in ('resuming', 'resumed')) from hold
        where campaign_id = ${campaignId} and state <> 'ended' and release is null) as hold,
      exists (select from hold where campaign_id = ${campaignId} and created_at >= ${since})
        or exists (select from campaign where id = ${campaignId} and paused_manually_at >= ${since}) as "isPauseKnown",
      (select min(sp.user_id) from smart_pause sp
        join app_user on app_user.id = sp.user_id and app_user.leaving is null
        join platform_token t on t.user_id = sp.user_id and t.refused_at is null
        join ad_account a on a.user_id = sp.user_id and a.id = sp.account_id and a.lost_at is null
        where sp.campaign_id = ${campaignId} and sp.setting = 'ON') as "wantedBy"`.execute(db);
  return onlyRow(result);
}

/**
 * Restores a lost pause intent as an unconfirmed write, as after a crash; the reconciler continues.
 * @returns false if the campaign has another live hold, also one with a pending release
 */
export async function writeLostPause(
  tx: Db,
  { accountId, campaignId, at }: OwnChange,
  userId: string,
  now: Instant,
): Promise<boolean> {
  const then = new Date(at);
  const { rows } = await sql`
    insert into hold (user_id, account_id, campaign_id, state, attempt, sent_at, created_at, read_at)
    values (${userId}, ${accountId}, ${campaignId}, 'pausing', 1, ${then}, ${then}, ${then})
    on conflict (campaign_id) where state <> 'ended' do nothing
    returning id`.execute(tx);
  await sql`insert into work_item (account_id) values (${accountId}) on conflict do nothing`.execute(tx);
  await makeDue(tx, [accountId], now);
  return rows.length > 0;
}

/**
 * Restores a lost resume intent in the same way.
 * @returns false if the hold has ended
 */
export async function writeLostResume(
  tx: Db,
  { accountId, at }: OwnChange,
  holdId: string,
  now: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update hold set state = 'resuming', attempt = attempt + 1, sent_at = ${new Date(at)},
      retry_at = null, suspected_status = null, suspected_since = null
    where id = ${holdId} and state <> 'ended'
    returning id`.execute(tx);
  await makeDue(tx, [accountId], now);
  return rows.length > 0;
}

/**
 * Prepares a database that was restored to an earlier time.
 * Its status is old, and sessions and Meta permissions may have ended since.
 */
export async function settleRestored(db: Db, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    await dropAllLeases(tx, now);
    await tx.updateTable('platform_status').set({ checked_at: null, known_is_from_backup: true }).execute();
    await tx.deleteFrom('session').execute();
    await tx.deleteFrom('login_attempt').execute();
    await tx
      .updateTable('platform_token')
      .set({ check_at: date(now) })
      .where('refused_at', 'is', null)
      .execute();
  });
}
