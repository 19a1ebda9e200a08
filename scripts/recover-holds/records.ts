import { sql } from 'kysely';
import { LATE_WRITE_MS } from '../../src/core/reconciler/hold.ts';
import type { Instant } from '../../src/core/time.ts';
import { minutes } from '../../src/core/time.ts';
import type { Db } from '../../src/server/db/database.ts';
import { fromNow, timestamp } from '../../src/server/db/database.ts';
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

/** A change that the restored database does not have. */
export interface LostChange extends OwnChange {
  name: string;
  /** The live hold. A resume has one. */
  holdId: string | null;
  /** A user with SmartPause on and access to the campaign; null: none, so SmartPause must not resume it. */
  wantedBy: string | null;
}

/** Null: a resume that is on its way, or a hold or a manual pause of that time, explains the change. */
export async function findLost(db: Db, change: OwnChange): Promise<LostChange | null> {
  const { campaignId, to, at } = change;
  const since = timestamp(at - APART_MS);
  const isLost =
    to === 'ACTIVE'
      ? sql`hold.state <> 'resuming'`
      : sql`hold.id is null
          and not exists (select from holds where campaign_id = one.id and decided_at >= ${since})
          and coalesce(campaigns.paused_manually_at < ${since}, true)`;
  const { rows } = await sql<Pick<LostChange, 'name' | 'holdId' | 'wantedBy'>>`
    select coalesce(name, one.id) as name, hold.id as "holdId",
      (select min(sp.user_id) from smartpause_settings sp
        join users on users.id = sp.user_id and users.leaving is null
        join platform_tokens t on t.user_id = sp.user_id and t.rejected_at is null
        join ad_accounts a on a.user_id = sp.user_id and a.id = sp.account_id and a.lost_at is null
        where sp.campaign_id = one.id and sp.setting = 'ON') as "wantedBy"
    from (select ${campaignId}::text as id) one left join campaigns on campaigns.id = one.id
      left join holds hold on hold.campaign_id = one.id and hold.state <> 'ended'
    where ${isLost}`.execute(db);
  return rows[0] === undefined ? null : { ...change, ...rows[0] };
}

/**
 * Restores a lost intent as an unconfirmed write, as after a crash; the reconciler verifies, records and resumes.
 * @returns false for a pause without a user who wants SmartPause or beside a live hold, and for a hold that has ended
 */
export async function writeLostChange(
  tx: Db,
  { accountId, campaignId, at, to, holdId, wantedBy }: LostChange,
): Promise<boolean> {
  if (to === 'PAUSED' && wantedBy === null) return false;
  const then = timestamp(at);
  const { rows } =
    to === 'PAUSED'
      ? await sql<{ userId: string }>`
          insert into holds (user_id, account_id, campaign_id, state, threshold, level, decided_at, read_at)
          select users.id, ${accountId}, ${campaignId}, 'pausing', users.threshold, known_level, ${then}, ${then}
          from users, platform_status where users.id = ${wantedBy}
          on conflict (campaign_id) where state <> 'ended' do nothing
          returning user_id`.execute(tx)
      : await sql<{ userId: string }>`
          update holds set state = 'resuming', surprise_status = null, surprise_since = null
          where id = ${holdId} and state <> 'ended'
          returning user_id`.execute(tx);
  for (const { userId } of rows)
    await sql`
      insert into campaign_writes (campaign_id, account_id, origin, user_id, requested_at, target, state,
        status_before, first_sent_at, unanswered_until, refusals, failures)
      values (${campaignId}, ${accountId}, 'hold', ${userId}, ${then}, ${to}, 'open',
        ${to === 'PAUSED' ? 'ACTIVE' : 'PAUSED'}, ${then}, ${timestamp(at + LATE_WRITE_MS)}, 0, 0)
      on conflict (campaign_id) do update set origin = 'hold', user_id = excluded.user_id,
        requested_at = excluded.requested_at, target = excluded.target, state = 'open',
        status_before = excluded.status_before, first_sent_at = excluded.first_sent_at,
        unanswered_until = excluded.unanswered_until, unclear_since = null, retry_at = null,
        confirmed_status = null, confirmed_at = null`.execute(tx);
  await sql`insert into work_items (account_id) values (${accountId}) on conflict do nothing`.execute(tx);
  await wake(tx, [accountId]);
  return rows.length > 0;
}

/**
 * Prepares a database that was restored to an earlier time.
 * Its status is old, and sessions and Meta permissions may have ended since.
 */
export async function settleRestored(tx: Db): Promise<void> {
  await dropAllLeases(tx);
  const old = { checkedAt: null, lowerReading: null, knownIsFromBackup: true };
  await tx.updateTable('platformStatus').set(old).execute();
  await tx.deleteFrom('sessions').execute();
  await tx.deleteFrom('loginAttempts').execute();
  const tokens = tx.updateTable('platformTokens').set({ checkAt: fromNow(0) });
  await tokens.where('rejectedAt', 'is', null).execute();
}
