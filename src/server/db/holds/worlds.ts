import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { effectiveSubscription, isProtected } from '#core/billing/subscription.ts';
import type { SmartPauseSetting } from '#core/campaign.ts';
import type { Owner } from '#core/smartpause/plan.ts';
import type { Instant } from '#core/time.ts';
import type { Db } from '../database.ts';
import type { StoredHold } from './holds.ts';
import { findLiveHolds, findRefusedPauses } from './holds.ts';
import type { User } from '../users/users.ts';
import { toUser } from '../users/users.ts';
import type { Schema } from '../schema.ts';
import type { Encrypted } from '../../secrets.ts';
import type { OwnSubscriptions } from '../billing/subscriptions.ts';
import { findSubscriptionsOf } from '../billing/subscriptions.ts';

/** All stored data that decides what happens to one user's campaigns in one ad account. */
export interface StoredWorld {
  accountId: string;
  accountName: string;
  /** Meta has refused the user access to the account. */
  isAccountLost: boolean;
  user: User;
  subscriptions: OwnSubscriptions;
  /** Null: no token, or Meta has refused it. */
  token: Encrypted | null;
  settings: Map<string, SmartPauseSetting>;
  /** When the user last turned SmartPause on for a campaign here; null: on for none. */
  turnedOnAt: Instant | null;
  holds: StoredHold[];
  heldByOthers: Set<string>;
  refusedPauses: ReadonlyMap<string, Instant>;
}

/** The core's view of a user. */
export function ownerOf(
  user: User,
  given: { subscriptions: OwnSubscriptions; tokenUsable: boolean },
  now: Instant,
): Owner {
  return {
    threshold: user.threshold,
    resume: user.resume,
    thresholdEdit: user.thresholdEdit,
    mayHold: user.isInitialized && isProtected(effectiveSubscription(given.subscriptions, now), now),
    tokenUsable: given.tokenUsable,
    leaving: user.leaving !== null,
  };
}

type Row = Selectable<Schema['users']> & {
  accountId: string;
  accountName: string | null;
  lostAt: Instant | null;
  onCampaigns: string[] | null;
  turnedOnAt: Instant | null;
  ciphertext: Uint8Array | null;
  keyId: string | null;
  rejectedAt: Instant | null;
};

/** Loads, per account, all users with SmartPause on or a live hold there. */
export async function loadWorlds(db: Db, accountIds: readonly string[]): Promise<Map<string, StoredWorld[]>> {
  const worlds = new Map<string, StoredWorld[]>(accountIds.map((id) => [id, []]));
  if (accountIds.length === 0) return worlds;
  const users = await concernedUsers(db, accountIds);
  const holds = await findLiveHolds(db, accountIds);
  const refusedPauses = await findRefusedPauses(db, accountIds);
  const subscriptions = await findSubscriptionsOf(
    db,
    users.map(({ id }) => id),
  );
  for (const row of users) {
    const ofAccount = holds.filter((hold) => hold.accountId === row.accountId);
    worlds.get(row.accountId)?.push({
      accountId: row.accountId,
      accountName: row.accountName ?? row.accountId,
      isAccountLost: row.lostAt !== null,
      user: toUser(row),
      subscriptions: subscriptions.get(row.id) ?? { stripe: null, grant: null },
      token:
        row.ciphertext === null || row.keyId === null || row.rejectedAt !== null
          ? null
          : { ciphertext: row.ciphertext, keyId: row.keyId },
      settings: new Map((row.onCampaigns ?? []).map((id) => [id, 'ON'])),
      turnedOnAt: row.turnedOnAt,
      refusedPauses: refusedPauses.get(row.id) ?? new Map(),
      holds: ofAccount.filter((hold) => hold.userId === row.id),
      heldByOthers: new Set(
        ofAccount.filter((hold) => hold.userId !== row.id).map((hold) => hold.campaignId),
      ),
    });
  }
  return worlds;
}

async function concernedUsers(db: Db, accountIds: readonly string[]): Promise<Row[]> {
  const ids = [...accountIds];
  const { rows } = await sql<Row>`
    select users.*, c.account_id, a.name as account_name, a.lost_at, c.on_campaigns, c.turned_on_at,
      t.ciphertext, t.key_id, t.rejected_at
    from (
      select account_id, user_id, max(on_campaigns) as on_campaigns, max(turned_on_at) as turned_on_at from (
        select account_id, user_id, array_agg(campaign_id) as on_campaigns, max(changed_at) as turned_on_at
        from smartpause_settings
        where setting = 'ON' and account_id = any(${ids}::text[]) group by account_id, user_id
        union all
        select live.account_id, live.user_id, null, null from unnest(${ids}::text[]) as account(id) cross join lateral (
          select account_id, user_id from holds where account_id = account.id and state <> 'ended' offset 0) live
      ) concern group by account_id, user_id
    ) c
    join users on users.id = c.user_id
    left join ad_accounts a on a.user_id = c.user_id and a.id = c.account_id
    left join platform_tokens t on t.user_id = c.user_id
    order by c.account_id, users.id`.execute(db);
  return rows;
}
