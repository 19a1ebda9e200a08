import { sql } from 'kysely';
import type { Instant } from '#core/time.ts';
import { days } from '#core/time.ts';
import type { Db } from './database.ts';
import { timestamp } from './database.ts';

/**
 * Only an accepted write proves that a block is over, and none may be due: without one it counts for a day.
 * `a` is a row of the table ad_accounts.
 */
export const areWritesBlocked = (now: Instant) =>
  sql<boolean>`coalesce(a.writes_blocked_until > ${timestamp(now - days(1))}, false)`;

/** The name of the user's ad account; null: writes are not blocked there. */
export async function findBlockedAccount(
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  now: Instant,
): Promise<string | null> {
  const row = await db
    .selectFrom('adAccounts as a')
    .select('name')
    .where('userId', '=', userId)
    .where('id', '=', accountId)
    .where(areWritesBlocked(now))
    .executeTakeFirst();
  return row === undefined ? null : row.name || accountId;
}
