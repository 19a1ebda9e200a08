import { sql } from 'kysely';
import { byName } from '#core/campaign.ts';
import { REFUSED_COUNTS_MS, REMOVED_KEPT_MS, SECOND_LIST_MS } from '#core/list-age.ts';
import type { PlatformAdAccount } from '#core/platform.ts';
import type { Instant } from '#core/time.ts';
import { deliversNothing } from './account-delivery.ts';
import { areWritesBlocked } from './blocked-writes.ts';
import type { Db } from './database.ts';
import { date, inTransaction, timestamp } from './database.ts';
import { isDelivered } from './campaigns.ts';
import { wake } from './work-items.ts';

/**
 * Saves the user's ad accounts as Meta lists them; a partial list removes none. Lists may be stored out of order: one
 * that began earlier changes nothing that a later one has shown.
 */
export async function saveAdAccounts(
  db: Db,
  userId: string,
  { value: accounts, isPartial }: { value: readonly PlatformAdAccount[]; isPartial: boolean },
  readAt: Instant,
): Promise<void> {
  const rows = new Map(accounts.map((one) => [one.id, { userId, ...one, seenAt: new Date(readAt) }]));
  await inTransaction(db, async (tx) => {
    // The user may have been deleted during the read from Meta.
    const user = tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare();
    if ((await user.executeTakeFirst()) === undefined) return;
    const isOther = sql<boolean>`not (id = any(${[...rows.keys()]}::text[]))`;
    if (!isPartial)
      await sql`
        update ad_accounts set missing_since = coalesce(missing_since, ${timestamp(readAt)}),
          removed_at = case when missing_since <= ${timestamp(readAt - SECOND_LIST_MS)} then ${timestamp(readAt)} end
        where user_id = ${userId} and removed_at is null and seen_at < ${timestamp(readAt)} and ${isOther}`.execute(
        tx,
      );
    if (rows.size === 0) return;
    await tx
      .insertInto('adAccounts')
      .values([...rows.values()])
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'id'])
          .doUpdateSet((eb) => ({
            name: eb.ref('excluded.name'),
            currency: eb.ref('excluded.currency'),
            mayPause: eb.ref('excluded.mayPause'),
            accountStatus: eb.ref('excluded.accountStatus'),
            disableReason: eb.ref('excluded.disableReason'),
            // An answer without one says nothing about it.
            timeZone: eb.fn.coalesce('excluded.timeZone', 'adAccounts.timeZone'),
            businessId: eb.fn.coalesce('excluded.businessId', 'adAccounts.businessId'),
            seenAt: eb.ref('excluded.seenAt'),
            // Meta also lists an account that it refuses to the user.
            lostAt: sql`case when ad_accounts.lost_at > ${timestamp(readAt - REFUSED_COUNTS_MS)} then ad_accounts.lost_at end`,
            missingSince: sql`case when ad_accounts.missing_since > excluded.seen_at then ad_accounts.missing_since
            when ad_accounts.removed_at > excluded.seen_at then ad_accounts.removed_at end`,
            removedAt: sql`case when ad_accounts.missing_since > excluded.seen_at then ad_accounts.removed_at end`,
          }))
          .where(sql<boolean>`ad_accounts.seen_at <= excluded.seen_at`),
      )
      .execute();
  });
}

/**
 * Drops ad accounts that were removed long ago, with the user's settings there. One where a campaign of the user is
 * still held stays.
 */
export async function dropRemovedAccounts(db: Db, now: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ accountId: string }>`
      with dropped as (
        delete from ad_accounts a where removed_at < ${timestamp(now - REMOVED_KEPT_MS)}
          and not exists (select from holds h where h.account_id = a.id and h.user_id = a.user_id and h.state <> 'ended')
        returning user_id, id
      ), settings as (
        delete from smartpause_settings sp using dropped
        where sp.user_id = dropped.user_id and sp.account_id = dropped.id
      )
      select id as account_id from dropped`.execute(tx);
    await wake(tx, [...new Set(rows.map(({ accountId }) => accountId))]);
  });
}

/** @param lostAt when Meta refused the user the ad account; null: it accepts the user again */
export async function saveAccess(
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  lostAt: Instant | null,
): Promise<void> {
  await db
    .updateTable('adAccounts')
    .set({ lostAt: date(lostAt) })
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .execute();
}

/** @param until Meta refuses changes of the user there until then; null: it accepts them */
export async function saveBlockedWrites(
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  until: Instant | null,
): Promise<void> {
  await db
    .updateTable('adAccounts')
    .set({ writesBlockedUntil: date(until) })
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .execute();
}

export async function listAdAccounts(db: Db, userId: string, now: Instant) {
  const accounts = await db
    .selectFrom('adAccounts as a')
    .select([
      'id',
      'name',
      'currency',
      'timeZone',
      'seenAt',
      'mayPause',
      'lostAt',
      'accountStatus',
      'disableReason',
    ])
    .select(areWritesBlocked(now).as('areWritesBlocked'))
    .where('userId', '=', userId)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .execute();
  return accounts.toSorted((a, b) => byName(a.name, b.name));
}

/**
 * The user's campaigns with SmartPause on, by ad account. Those that SmartPause does not pause, or in an ad account
 * where Meta delivers nothing, are not protected.
 */
export async function countProtected(
  db: Db,
  userId: string,
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select c.account_id as id, count(*)::int as count
    from smartpause_settings sp join campaigns c on c.id = sp.campaign_id
    join ad_accounts a on a.user_id = sp.user_id and a.id = c.account_id
    where sp.user_id = ${userId} and sp.setting = 'ON' and c.is_listed and not c.is_legacy_advantage
      and c.status not in ('ARCHIVED', 'DELETED') and ${isDelivered(now)} and not ${deliversNothing(now)}
    group by c.account_id`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export interface Listing {
  accountId: string;
  /** When Meta last listed the account for this user. */
  seenAt: Instant;
  /** When the last read of the account's campaign list began; null: never read. */
  readAt: Instant | null;
  /** Meta refuses the account to this user. */
  isLost: boolean;
  /** Meta's rate limit blocks calls for the account now. */
  isBlocked: boolean;
  blockedUntil: Instant | null;
}

/** Null if the ad account is not one of the user's own. */
export async function findListing(db: Db, userId: string, accountId: string): Promise<Listing | null> {
  const row = await db
    .selectFrom('adAccounts')
    .leftJoin('campaignLists', 'campaignLists.accountId', 'adAccounts.id')
    .leftJoin('workItems', 'workItems.accountId', 'adAccounts.id')
    .select(['adAccounts.id as accountId', 'seenAt', 'readAt', 'blockedUntil'])
    .select((eb) => eb('lostAt', 'is not', null).$castTo<boolean>().as('isLost'))
    .select(sql<boolean>`coalesce(blocked_until > now(), false)`.as('isBlocked'))
    .where('adAccounts.userId', '=', userId)
    .where('adAccounts.id', '=', accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Null: Meta has sent none. It sends each user of an ad account the same. */
export function timeZoneOf(accountId: string) {
  return sql`(select min(z.time_zone) from ad_accounts z where z.id = ${sql.ref(accountId)})`;
}

/** Of the user's ad accounts, as far as known. */
export async function findTimeZones(db: Db, userId: string): Promise<string[]> {
  const query = db.selectFrom('adAccounts').select('timeZone').distinct().where('userId', '=', userId);
  const rows = await query.where('removedAt', 'is', null).orderBy('timeZone').execute();
  return rows.flatMap(({ timeZone }) => timeZone ?? []);
}
