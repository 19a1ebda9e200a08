import { sql } from 'kysely';
import type { Instant } from '../../src/core/time.ts';
import { minutes } from '../../src/core/time.ts';
import type { Db } from '../../src/server/db/database.ts';
import { fromNow, inTransaction, onlyRow, timestamp } from '../../src/server/db/database.ts';
import { dropAllLeases, wake } from '../../src/server/db/work-items.ts';
import type { Encrypted } from '../../src/server/secrets.ts';

/** Maximum difference between our clock and Meta's, and between Meta's log and our row. */
const APART_MS = minutes(2);

/** A user of an ad account. */
export interface AccountRow {
  id: string;
  userId: string;
  /** Meta has refused the user access to the account. */
  isLost: boolean;
  token: Encrypted | null;
}

/** All known ad accounts, including those without a usable token. */
export async function accountRows(db: Db): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow & { ciphertext: Buffer | null; keyId: string }>`
    select a.id, a.user_id, lost_at is not null as "isLost", ciphertext, key_id
    from ad_accounts a left join platform_tokens t on t.user_id = a.user_id and t.rejected_at is null
    order by a.id, a.user_id`.execute(db);
  return rows.map(({ ciphertext, keyId, ...row }) => ({
    ...row,
    token: ciphertext === null ? null : { ciphertext, keyId },
  }));
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
  /** A user with SmartPause on and access to the campaign; null: none, so SmartPause must not resume it. */
  wantedBy: string | null;
}

export async function knownOf(db: Db, { campaignId, at }: OwnChange): Promise<KnownOfCampaign> {
  const since = timestamp(at - APART_MS);
  const result = await sql<KnownOfCampaign>`
    select coalesce((select name from campaigns where id = ${campaignId}), ${campaignId}) as name,
      (select json_build_object('id', id::text, 'isResuming', state in ('resuming', 'resumed')) from holds
        where campaign_id = ${campaignId} and state <> 'ended' and release is null) as hold,
      exists (select from holds where campaign_id = ${campaignId} and created_at >= ${since})
        or exists (select from campaigns where id = ${campaignId} and paused_manually_at >= ${since}) as "isPauseKnown",
      (select min(sp.user_id) from smartpause_settings sp
        join users on users.id = sp.user_id and users.leaving is null
        join platform_tokens t on t.user_id = sp.user_id and t.rejected_at is null
        join ad_accounts a on a.user_id = sp.user_id and a.id = sp.account_id and a.lost_at is null
        where sp.campaign_id = ${campaignId} and sp.setting = 'ON') as "wantedBy"`.execute(db);
  return onlyRow(result);
}

/**
 * Restores a lost intent as an unconfirmed write, as after a crash; the reconciler verifies, records and resumes.
 * @returns false for a pause without a user who wants SmartPause or beside a live hold, and for a hold that has ended
 */
export async function writeLostChange(
  tx: Db,
  { accountId, campaignId, at, to, hold, wantedBy }: OwnChange & KnownOfCampaign,
): Promise<boolean> {
  if (to === 'PAUSED' && wantedBy === null) return false;
  const then = new Date(at);
  const { rows } =
    to === 'PAUSED'
      ? await sql`
          insert into holds (user_id, account_id, campaign_id, state, attempt, sent_at, created_at, read_at)
          values (${wantedBy}, ${accountId}, ${campaignId}, 'pausing', 1, ${then}, ${then}, ${then})
          on conflict (campaign_id) where state <> 'ended' do nothing
          returning id`.execute(tx)
      : await sql`
          update holds set state = 'resuming', attempt = attempt + 1, sent_at = ${then},
            retry_at = null, suspected_status = null, suspected_since = null
          where id = ${hold?.id ?? null} and state <> 'ended'
          returning id`.execute(tx);
  await sql`insert into work_items (account_id) values (${accountId}) on conflict do nothing`.execute(tx);
  await wake(tx, [accountId]);
  return rows.length > 0;
}

/**
 * Prepares a database that was restored to an earlier time.
 * Its status is old, and sessions and Meta permissions may have ended since.
 */
export async function settleRestored(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await dropAllLeases(tx);
    await tx.updateTable('platformStatus').set({ checkedAt: null, knownIsFromBackup: true }).execute();
    await tx.deleteFrom('sessions').execute();
    await tx.deleteFrom('loginAttempts').execute();
    const tokens = tx.updateTable('platformTokens').set({ checkAt: fromNow(0) });
    await tokens.where('rejectedAt', 'is', null).execute();
  });
}
